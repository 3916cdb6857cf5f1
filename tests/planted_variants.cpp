// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "planted_variants.hpp"

#include <ado/core/bound.hpp>
#include <ado/core/error.hpp>
#include <ado/core/registry.hpp>

#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>

namespace ado {

int planted_runs = 0;

namespace {

constexpr double stated_steps = 8;

/// The oracle's own variant: what the broken ones start from.
void run_right(const Call& call, std::string_view algorithm) {
  for (const Variant& v : variants())
    if (v.algorithm == algorithm && v.model == Model::serial) v.run(call);
}

/// Runs the serial `average`, then `damage(v, mean, run)` on arrays of the call's type, where run is
/// 1 at the first. Slow enough that the harness does not run it in batches.
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

std::size_t last_of(const Array& array) {
  return (array.extent[0] - 1) * array.stride[0] + array.extent[1] - 1;
}

/// Puts the last element back to what it was before the run.
void unwritten(const Call& call) {
  const Array& mean = call.arrays[1];
  const std::size_t bytes = size_of(call.type), last = last_of(mean);
  unsigned char before[8];
  std::memcpy(before, mean.as<unsigned char>() + last * bytes, bytes);
  average_then(call, [](auto*, auto*, int) {});
  std::memcpy(mean.as<unsigned char>() + last * bytes, before, bytes);
}

void before(const Call& call) {
  average_then(call, [](auto*, auto* mean, int) { mean[-1] = 0; });
}
void behind(const Call& call) {
  average_then(call, [&](auto*, auto* mean, int) { mean[last_of(call.arrays[1]) + 1] = 0; });
}
/// Right, but with other bits at every other run.
void wavering(const Call& call) { off_by(call, planted_runs % 2 == 0 ? 0.5 : 0.25); }
/// Wrong at the third run and never again, as a race may be.
void racing(const Call& call) {
  average_then(call, [](auto*, auto* mean, int run) { mean[1] += run == 3 ? 1 : 0; });
}
void wrong_later(const Call& call) {
  average_then(call, [](auto*, auto* mean, int run) { mean[1] += run > 1 ? 1 : 0; });
}
/// Right in its own output, but the input is not what it was.
void changes_input(const Call& call) {
  average_then(call, [](auto* v, auto*, int) { v[3] += 1; });
}
void changes_input_later(const Call& call) {
  average_then(call, [](auto* v, auto*, int run) { v[3] += run == 3 ? 1 : 0; });
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

/// y[i][n] = sum over j of a[j][i] * mean[n][j]: a read the wrong way round.
void transposed_matrix(const Call& call) {
  const std::size_t sets = call.shape[0], length = call.shape[1], count = call.shape[2];
  with_real_type(call.type, [&](auto zero) {
    using T = decltype(zero);
    const Array &v = call.arrays[0], &a = call.arrays[1], &y = call.arrays[2];
    for (std::size_t i = 0; i < length; ++i)
      for (std::size_t n = 0; n < sets; ++n) {
        double sum = 0;
        for (std::size_t j = 0; j < length; ++j)
          for (std::size_t m = 0; m < count; ++m)
            sum += static_cast<double>(a.as<T>()[j * a.stride[0] + i]) *
                   static_cast<double>(v.as<T>()[n * v.stride[0] + j * v.stride[1] + m]);
        y.as<T>()[i * y.stride[0] + n] = static_cast<T>(sum / static_cast<double>(count));
      }
  });
}
void idle(const Call&) {}

std::size_t means(const Shape& s, Type type) { return s[0] * s[1] * size_of(type); }
std::size_t too_much(const Shape&, Type) { return std::size_t(1) << 60; }

Registration plant(std::string_view algorithm, std::string_view name, void (*run)(const Call&),
                   std::size_t (*workspace)(const Shape&, Type) = nullptr) {
  return Registration(Variant{
      .algorithm = algorithm,
      .name = name,
      .model = Model::vendor,
      .backend = host_backend,
      .types = algorithm == "transpose" ? all_types : real_types,
      .summary = "broken on purpose",
      .file = __FILE__,
      .run = run,
      .rounding_steps = [](const Shape&, Type, const Launch&) { return stated_steps; },
      .workspace_bytes = workspace,
  });
}

const Registration planted[]{
    plant("average", "beyond_the_bound", [](const Call& call) { off_by(call, 1.5); }),
    plant("average", "within_the_bound", [](const Call& call) { off_by(call, 0.5); }),
    plant("average", "unwritten", unwritten),
    plant("average", "before", before),
    plant("average", "behind", behind),
    plant("average", "wavering", wavering),
    plant("average", "racing", racing),
    plant("average", "wrong_later", wrong_later),
    plant("average", "changes_input", changes_input),
    plant("average", "changes_input_later", changes_input_later),
    plant("average", "throws", throws),
    plant("average", "throws_later", throws_later),
    plant("average", "too_much_memory", right, too_much),
    plant("average", "leaves_means", leaves_means, means),
    plant("average", "lives_on_leftovers", lives_on_leftovers, means),
    plant("average", "overruns_workspace", overruns_workspace, means),
    plant("average_mv", "transposed_matrix", transposed_matrix),
    plant("transpose", "idle", idle),
};

} // namespace
} // namespace ado
