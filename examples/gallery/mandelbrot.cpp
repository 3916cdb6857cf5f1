// mandelbrot, kokkos and openmp: a point for each work item
//   mapping   MDRangePolicy over the picture; by hand threads share the rows, which are not alike
//   bytes     writes the picture once
//   teaches   neighbours that take different numbers of steps: a warp waits for its slowest lane
#include "mandelbrot.hpp"

#include <ado/portable/variant.hpp>

namespace mandelbrot {

std::vector<bench::ArraySpec> arrays(const bench::Shape& s) {
  return {{"steps", 2, {s[0], s[1], 1}, true}};
}

// About a third of the points never leave, so a point takes about a third of the steps.
double flops(const bench::Shape& s, bench::Type) {
  return 8 * double(s[0]) * double(s[1]) * double(s[2]) / 3;
}

std::unique_ptr<bench::Oracle> oracle(bench::Type type, const bench::Shape& s,
                                      const std::vector<bench::Array>&) {
  return bench::exact_oracle(type, {s[0], s[1], 1}, [&](const bench::Array& steps) {
    const Picture picture(steps, s[2]);
#pragma omp parallel for schedule(dynamic)
    for (std::size_t i = 0; i < s[0]; ++i)
      for (std::size_t j = 0; j < s[1]; ++j)
        picture.compute(i, j);
  });
}

// A point costs much more than its bytes, so not as many as a cache could hold.
bench::Shape shape_of_size(std::size_t elements) {
  const auto side = static_cast<std::size_t>(std::sqrt(double(elements)));
  return {std::min<std::size_t>(side, 2000), std::min<std::size_t>(side, 2000), 200};
}

const bench::Registration registered{bench::Algorithm{.name = "mandelbrot",
                                                      .formula = "steps until |z| > 2, z = z^2 + c",
                                                      .sizes = {{"rows"}, {"cols"}, {"steps"}},
                                                      .types = Names::types,
                                                      .default_type = bench::Type::i32,
                                                      .arrays = arrays,
                                                      .flops = flops,
                                                      .shape_of_size = shape_of_size,
                                                      .classic = {4096, 4096, 200},
                                                      .oracle = oracle,
                                                      .best = "plain"}};

struct ByHand : Names {
  static constexpr std::string_view summary = "rows as threads are free";
  static constexpr bench::Model model = bench::Model::openmp;

  static void run(const bench::Call& call) {
    const Picture picture(call.arrays[0], call.shape[2]);
#pragma omp parallel for num_threads(call.queue.threads) schedule(dynamic)
    for (std::size_t i = 0; i < picture.rows; ++i)
      for (std::size_t j = 0; j < picture.cols; ++j)
        picture.compute(i, j);
  }
};
const bench::HostVariant<ByHand> by_hand{__FILE__};

struct Kernel {
  Picture picture;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t j) const { picture.compute(i, j); }
};

struct InKokkos : Names {
  static constexpr std::string_view summary = "MDRangePolicy";

  template <class Exec>
  static void run(const Exec& exec, const bench::Call& call) {
    using Points =
        Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2, Kokkos::Iterate::Right, Kokkos::Iterate::Right>,
                              Kokkos::IndexType<std::size_t>>;
    const Picture picture(call.arrays[0], call.shape[2]);
    Kokkos::parallel_for("mandelbrot", Points(exec, {0, 0}, {picture.rows, picture.cols}),
                         Kernel{picture});
  }
};
const bench::PortableVariant<InKokkos> in_kokkos{__FILE__};

} // namespace mandelbrot
