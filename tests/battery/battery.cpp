// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The battery: kernels on problems drawn at random, with gaps between rows and arrays at any
// alignment, in one process.
//   battery [CASES] [SEED]       10000 cases with a new seed
//   battery --only CASE SEED     repeats one case
// Prints what is wrong and how to repeat it, then one summary line, even if a signal ends it early.
// Exit status 1 if something is wrong, 77 if this Kokkos needs a GPU and there is none.
#include "draw.hpp"
#include "kernels.hpp"
#include "lacks_its_gpu.hpp"
#include <ado/bench/device/device.hpp>
#include <ado/bench/io/version.hpp>

#include <Kokkos_Core.hpp>

#include <chrono>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

/// Returns whether the case is right.
bool run(std::uint64_t seed, std::uint64_t index) {
  battery::Draw draw(seed, index);
  const battery::Outcome outcome =
      draw.one_in(3) ? battery::run_on_views(draw) : battery::run_registered(draw);
  if (outcome.wrong.empty()) return true;
  std::printf("WRONG: %s\n  %s\n  again: battery --only %" PRIu64 " %" PRIu64 "\n",
              outcome.what.c_str(), outcome.wrong.c_str(), index, seed);
  std::fflush(stdout);
  return false;
}

volatile std::sig_atomic_t is_over = 0;

int run_all(std::uint64_t cases, std::uint64_t seed) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  for (const int signal : {SIGINT, SIGTERM})
    std::signal(signal, [](int) { is_over = 1; });
  std::uint64_t wrong = 0, done = 0;
  for (; done < cases && is_over == 0; ++done)
    wrong += run(seed, done) ? 0 : 1;
  const std::chrono::duration<double> seconds = Clock::now() - start;
  std::printf("battery: %" PRIu64 " cases, %" PRIu64 " wrong, seed %" PRIu64
              ", commit %s, kernels %s, %s, %.0f s\n",
              done, wrong, seed, ado::bench::build_commit().c_str(),
              ado::bench::kernels_fingerprint,
              ado::bench::open_device({ado::bench::default_backend()})->description.c_str(),
              seconds.count());
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

std::uint64_t number(const char* text) { return std::strtoull(text, nullptr, 10); }

} // namespace

int main(int argc, char** argv) {
  if (ado::bench::lacks_its_gpu()) {
    std::puts("skipped: battery: Kokkos is built for CUDA, and this machine has no GPU");
    return 77;
  }
  const Kokkos::ScopeGuard kokkos(argc, argv);
  if (argc == 4 && std::string_view(argv[1]) == "--only") {
    std::puts(run(number(argv[3]), number(argv[2])) ? "right" : "wrong");
    return EXIT_SUCCESS;
  }
  const std::uint64_t drawn =
      std::uint64_t(std::chrono::system_clock::now().time_since_epoch() / std::chrono::seconds(1));
  return run_all(argc > 1 ? number(argv[1]) : 10000, argc > 2 ? number(argv[2]) : drawn);
}
