// launches, openmp
//   mapping   calls: a parallel loop for each kernel. one_region: one parallel region, in which a
//             barrier ends each kernel. fused: one loop that does the work of all kernels
//   bytes     calls and one_region: each kernel reads two arrays and writes one; fused: once
//   teaches   what a region costs, what a barrier costs, and what is left without both
#include "launches.hpp"

namespace launches {

namespace {

struct Calls : Launches {
  static constexpr std::string_view name = "calls", summary = "a parallel loop for each kernel";
  static constexpr bench::Model model = bench::Model::openmp;

  static void run(const bench::Call& call) {
    const std::size_t n = elements(call);
    for (std::size_t k = 0; k < kernels(call); ++k) {
      const Step kernel = step(call, k);
#pragma omp parallel for num_threads(call.queue.threads) schedule(static)
      for (std::size_t i = 0; i < n; ++i)
        kernel(i);
    }
  }
};

struct OneRegion : Launches {
  static constexpr std::string_view name = "one_region", summary = "one region, and barriers";
  static constexpr bench::Model model = bench::Model::openmp;

  static void run(const bench::Call& call) {
    const std::size_t n = elements(call);
#pragma omp parallel num_threads(call.queue.threads)
    for (std::size_t k = 0; k < kernels(call); ++k) {
      const Step kernel = step(call, k);
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < n; ++i)
        kernel(i);
    }
  }
};

struct Fused : Launches {
  static constexpr std::string_view name = "fused", summary = "one loop does it all";
  static constexpr bench::Model model = bench::Model::openmp;

  static void run(const bench::Call& call) {
    const std::size_t n = elements(call);
    const Step first = step(call, 0);
    const auto times = Number(kernels(call));
#pragma omp parallel for num_threads(call.queue.threads) schedule(static)
    for (std::size_t i = 0; i < n; ++i)
      first.c[i] = first.from[i] + times * first.b[i];
  }
};

const bench::HostVariant<Calls> calls{__FILE__};
const bench::HostVariant<OneRegion> one_region{__FILE__};
const bench::HostVariant<Fused> fused{__FILE__};

} // namespace

} // namespace launches
