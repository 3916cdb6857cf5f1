// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "planted_variants.hpp"

#include <ado/core/bound.hpp>
#include <ado/core/error.hpp>
#include <ado/registry/registry.hpp>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <thread>
#include <vector>

namespace ado::bench {

int planted_runs = 0;

namespace {

constexpr double stated_steps = 8;

/// The oracle's own variant, from which the broken ones start.
void run_right(const Call& call, std::string_view algorithm) {
  for (const Variant& v : variants())
    if (v.algorithm == algorithm && v.model == Model::serial) v.run(call);
}

/// Runs the serial `average`, then `damage(v, mean, run)` on arrays of the call's type, where run
/// starts at 1. Slow enough that the instrument runs no batches.
template <class Damage>
void average_then(const Call& call, Damage&& damage) {
  std::this_thread::sleep_for(std::chrono::microseconds(200));
  run_right(call, "average");
  ++planted_runs;
  with_real_type(call.type, [&](auto zero) {
    using T = decltype(zero);
    damage(call.arrays[0].as<T>(), call.arrays[1].as<T>(), planted_runs);
  });
}

/// Moves mean[0][0] by `share` of its bound.
void off_by(const Call& call, double share) {
  average_then(call, [&](const auto* v, auto* mean, int) {
    const std::size_t count = call.shape[2];
    double magnitude = 0;
    for (std::size_t m = 0; m < count; ++m)
      magnitude += std::fabs(static_cast<double>(v[m])) / static_cast<double>(count);
    const double bound = gamma_bound(stated_steps, info(call.type).unit_roundoff) * magnitude;
    mean[0] =
        static_cast<std::decay_t<decltype(mean[0])>>(static_cast<double>(mean[0]) + share * bound);
  });
}

/// Right, but with other bits in every other run.
void wavering(const Call& call) { off_by(call, planted_runs % 2 == 0 ? 0.5 : 0.25); }
/// Wrong only in the fifth run, as a race may be.
void racing(const Call& call) {
  average_then(call, [](auto*, auto* mean, int run) { mean[1] += run == 5 ? 1 : 0; });
}
/// As if the rows of an array had no gaps.
void with_packed(Call call, std::size_t array) {
  Array& rows = call.arrays[array];
  rows.stride = {rows.extent[1] * rows.extent[2], rows.extent[2], 1};
  average_then(call, [](auto*, auto*, int) {});
}
void reads_packed_rows(const Call& call) { with_packed(call, 0); }
/// Not in the first run, which is on witness data.
void writes_packed_rows_later(const Call& call) {
  if (planted_runs > 0) return with_packed(call, 1);
  average_then(call, [](auto*, auto*, int) {});
}
void throws(const Call&) { throw Error("thrown on purpose"); }
void throws_later(const Call& call) {
  average_then(call, [](auto*, auto*, int run) {
    if (run == 3) throw Error("thrown on purpose, at the third run");
  });
}
void right(const Call& call) {
  average_then(call, [](auto*, auto*, int) {});
}
/// Reads means from the workspace that only another variant could have left there.
void lives_on_leftovers(const Call& call) {
  const std::size_t bytes = call.shape[0] * call.shape[1] * size_of(call.type);
  std::memcpy(call.arrays[1].data, call.workspace, bytes);
}
/// Right, and leaves its result in the workspace.
void leaves_means(const Call& call) {
  right(call);
  const std::size_t bytes = call.shape[0] * call.shape[1] * size_of(call.type);
  std::memcpy(call.workspace, call.arrays[1].data, bytes);
}
void overruns_workspace(const Call& call) {
  right(call);
  static_cast<char*>(call.workspace)[call.shape[0] * call.shape[1] * size_of(call.type)] = 0;
}

void overruns_staging(const Call& call) {
  right(call);
  static_cast<char*>(call.staging)[call.shape[0] * call.shape[1] * size_of(call.type)] = 0;
}

std::size_t bytes_of(const Array& array, Type type) {
  return array.extent[0] * array.extent[1] * array.extent[2] * size_of(type);
}
/// Computes once for an input's address, and gives that result from then on.
void gives_first_result(const Call& call, std::string_view algorithm) {
  static std::map<const void*, std::vector<std::byte>> results;
  std::vector<std::byte>& kept = results[call.arrays[0].data];
  const Array& output = call.arrays[1];
  if (kept.empty()) {
    run_right(call, algorithm);
    kept.resize(bytes_of(output, call.type));
    std::memcpy(kept.data(), output.data, kept.size());
  } else {
    std::memcpy(output.data, kept.data(), kept.size());
  }
}
/// The same with the result in the workspace, behind a mark.
void transposes_once(const Call& call) {
  constexpr std::uint64_t mark = 0x6b657074;
  auto* const workspace = static_cast<std::byte*>(call.workspace);
  const Array& output = call.arrays[1];
  if (std::memcmp(workspace, &mark, sizeof(mark)) == 0) {
    std::memcpy(output.data, workspace + sizeof(mark), bytes_of(output, call.type));
    return;
  }
  run_right(call, "transpose");
  std::memcpy(workspace, &mark, sizeof(mark));
  std::memcpy(workspace + sizeof(mark), output.data, bytes_of(output, call.type));
}
std::size_t mark_and_output(const Shape& s, Type type) {
  return sizeof(std::uint64_t) + s[0] * s[1] * size_of(type);
}

std::size_t means(const Shape& s, Type type) { return s[0] * s[1] * size_of(type); }
std::size_t too_much(const Shape&, Type) { return std::size_t(1) << 60; }

Registration plant(std::string_view algorithm, std::string_view name, void (*run)(const Call&),
                   std::size_t (*workspace)(const Shape&, Type) = nullptr) {
  return Registration(Variant{
      .algorithm = algorithm,
      .name = name,
      .model = Model::vendor,
      .backend = host_backend,
      .types = real_types,
      .summary = "broken on purpose",
      .file = __FILE__,
      .run = run,
      .rounding_steps = [](const Shape&, Type, const Launch&) { return stated_steps; },
      .workspace_bytes = workspace,
  });
}

Registration plant_overrun(std::string_view name, bool pageable) {
  return Registration(Variant{
      .algorithm = "average",
      .name = name,
      .model = Model::vendor,
      .backend = host_backend,
      .types = real_types,
      .summary = "broken on purpose",
      .file = __FILE__,
      .run = overruns_staging,
      .rounding_steps = [](const Shape&, Type, const Launch&) { return stated_steps; },
      .staging_bytes = means,
      .pageable_staging = pageable,
  });
}

const Registration planted[]{
    plant("average", "beyond_the_bound", [](const Call& call) { off_by(call, 1.5); }),
    plant("average", "within_the_bound", [](const Call& call) { off_by(call, 0.5); }),
    plant("average", "wavering", wavering),
    plant("average", "racing", racing),
    plant("average", "reads_packed_rows", reads_packed_rows),
    plant("average", "writes_packed_rows_later", writes_packed_rows_later),
    plant("average", "throws", throws),
    plant("average", "throws_later", throws_later),
    plant("average", "too_much_memory", right, too_much),
    plant("average", "leaves_means", leaves_means, means),
    plant("average", "lives_on_leftovers", lives_on_leftovers, means),
    plant("average", "overruns_workspace", overruns_workspace, means),
    plant("average", "gives_first_means",
          [](const Call& call) { gives_first_result(call, "average"); }),
    plant("transpose", "gives_first_b",
          [](const Call& call) { gives_first_result(call, "transpose"); }),
    plant("transpose", "transposes_once", transposes_once, mark_and_output),
    plant_overrun("overruns_locked", false),
    plant_overrun("overruns_pageable", true),
};

} // namespace
} // namespace ado::bench
