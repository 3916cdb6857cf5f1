// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the tests of sliced arrays: how they are cut, and variants with injected actions.
#pragma once

#include "npy_files.hpp"
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/measure/measure.hpp>
#include <ado/bench/run/results.hpp>
#include <ado/bench/stream/streamed_bench.hpp>
#include <ado/registry/registry.hpp>

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace ado::bench {

inline constexpr std::size_t plenty = std::size_t{1} << 40;

/// How a problem is cut; period 0: the data does not repeat. Blocks are as large as slices of that
/// length, and equally many are in memory.
struct Cut {
  std::size_t length, period = 0;
  bool blocks = false;
};

inline StreamLimits limits_of(const Problem& problem, const Cut& cut) {
  const std::size_t bytes = slice_bytes({.problem = problem, .length = cut.length});
  return {plenty, cut.period == 0 ? plenty : cut.period * bytes, bytes, cut.blocks ? plenty : 0};
}

/// A right variant in whose place an action runs at each call.
class Around {
public:
  using Action = std::function<void(const Call&, int)>;

  /// `instead` runs in place of the variant, and may call right().
  Around(const Variant& right, Action instead) : variant(right) {
    inside = &right;
    action = std::move(instead);
    calls = 0;
    variant.run = [](const Call& call) { action(call, calls++); };
  }
  static void right(const Call& call) { inside->run(call); }

  Variant variant;

private:
  inline static const Variant* inside = nullptr;
  inline static Action action;
  inline static int calls = 0;
};

/// On a host, where a planted error can reach all memory.
class StreamedErrors : public npy_files::NpyFixture {
protected:
  void SetUp() override {
    npy_files::NpyFixture::SetUp();
    device_ = open_device({backend_names().back(), 0});
    if (!device_->on_host) GTEST_SKIP() << "memory is " << device_->backend << "'s";
  }
  const Variant& right(const char* algorithm) const {
    return *find_variant(algorithm, "kokkos", "tuned", device_->backend);
  }
  /// The failure that measuring reports if `instead` runs in place of the variant: on five slices
  /// of 2 and one of 1, or as `cut` says.
  std::string failure_of(const char* algorithm, const Around::Action& instead,
                         const Cut& cut = {2}) {
    const Problem problem{find_algorithm(algorithm), {11, 17, 5}, Type::f32};
    StreamedData data(*device_, problem, limits_of(problem, cut));
    data.load(DataKind::uniform, 3);
    StreamedBench bench(*device_, data, 1);
    const Around around(right(algorithm), instead);
    const Measurement m = measure(bench, problem, {&around.variant}, {.reps = 1})[0];
    EXPECT_TRUE(m.ran || m.failure.empty()) << m.failure;
    return m.failure;
  }
  /// The same with a transpose of three by three blocks of 4 x 6, shorter and narrower at the ends.
  std::string failure_in_blocks(const Around::Action& instead) {
    return failure_of("transpose", instead, {2, 0, true});
  }
  void write_input(const HostData& data, std::size_t k, const std::string& file) const {
    const ArraySpec& spec = data.specs()[k];
    write_npy(file, data.problem().type, spec.rank, spec.extent, data.input(k).data);
  }
  /// The same array in Fortran order.
  void write_fortran(const HostData& data, std::size_t k, const std::string& file) const {
    const ArraySpec& spec = data.specs()[k];
    const std::string row_major(data.input(k).as<char>(), element_count(spec) * 4);
    std::string shape = "(";
    for (int d = 0; d < spec.rank; ++d)
      shape += std::to_string(spec.extent[static_cast<std::size_t>(d)]) + ", ";
    std::ofstream(file, std::ios::binary)
        << npy_files::npy(npy_files::dictionary("<f4", true, shape + ")"),
                          npy_files::fortran(row_major, spec.extent, 4));
  }

  std::unique_ptr<Device> device_;
};

inline bool starts_with(const std::string& text, const std::string& words) {
  return text.rfind(words, 0) == 0;
}

} // namespace ado::bench
