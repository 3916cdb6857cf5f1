// nbody, kokkos and openmp: a body for each work item, which all others pull
//   mapping   RangePolicy over the bodies; by hand threads share them
//   bytes     reads each body once from memory, all others from a cache
//   teaches   n^2 divisions and roots on n bodies: arithmetic is the limit, and Kokkos adds nothing
#include "nbody.hpp"

#include <ado/portable/variant.hpp>

#include <algorithm>
#include <array>

namespace nbody {

std::vector<bench::ArraySpec> arrays(const bench::Shape& s) {
  return {{"bodies", 2, {s[0], 4, 1}}, {"pulls", 2, {s[0], 3, 1}, true}};
}

double flops(const bench::Shape& s, bench::Type) { return 20 * double(s[0]) * double(s[0]); }

// In long double. A difference of places rounds relative to the places, so the size of a term has
// the sum of both; and all terms may have one sign.
std::unique_ptr<bench::Oracle> oracle(bench::Type type, const bench::Shape& s,
                                      const std::vector<bench::Array>& in) {
  using Real = long double;
  std::vector<bench::ExactValue> values(3 * s[0]);
  bench::with_real_type(type, [&]<class T>(T) {
    const T* bodies = in[0].as<const T>(); // x, y, z, mass
#pragma omp parallel for
    for (std::size_t i = 0; i < s[0]; ++i) {
      const T* here = bodies + 4 * i;
      std::array<Real, 3> sum{}, size{};
      for (std::size_t k = 0; k < s[0]; ++k) {
        const T* there = bodies + 4 * k;
        Real squared = softening;
        for (int x = 0; x < 3; ++x)
          squared += (Real(there[x]) - here[x]) * (Real(there[x]) - here[x]);
        const Real factor = there[3] / (squared * std::sqrt(squared));
        for (int x = 0; x < 3; ++x) {
          sum[x] += factor * (Real(there[x]) - here[x]);
          size[x] += std::fabs(factor) * (std::fabs(Real(there[x])) + std::fabs(here[x]));
        }
      }
      for (int x = 0; x < 3; ++x)
        values[3 * i + x] = {sum[x], double(size[x])};
    }
  });
  return bench::oracle_of_values(type, 3 * s[0],
                                 [values = std::move(values)](std::size_t k) { return values[k]; });
}

// At most 32768 bodies, so that the oracle takes seconds.
bench::Shape shape_of_size(std::size_t elements) {
  return {std::min<std::size_t>(elements / 4, 32768), 1, 1};
}

const bench::Registration registered{bench::Algorithm{
    .name = "nbody",
    .formula = "pull[i] = sum of m[k] (x[k] - x[i]) / (|x[k] - x[i]|^2 + 0.01)^1.5",
    .sizes = {{"bodies"}},
    .types = bench::real_types,
    .default_type = bench::Type::f32,
    .arrays = arrays,
    .flops = flops,
    .shape_of_size = shape_of_size,
    .classic = {32768, 1, 1},
    .oracle = oracle,
    .best = "plain",
    .ladder = {"plain", "tiled"}}};

struct ByHand : Names {
  static constexpr std::string_view name = "plain", summary = "two loops";
  static constexpr bench::Model model = bench::Model::openmp;

  template <class T>
  static void run(const bench::Call& call) {
    const Bodies<T> bodies(call);
#pragma omp parallel for num_threads(call.queue.threads) schedule(static)
    for (std::size_t i = 0; i < bodies.n; ++i)
      bodies.compute(i);
  }
};
const bench::HostVariant<ByHand> by_hand{__FILE__};

template <class T>
struct PlainKernel {
  Bodies<T> bodies;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { bodies.compute(i); }
};

struct Plain : Names {
  static constexpr std::string_view name = "plain", summary = "a body for each work item";

  template <class Exec>
  static void run(const Exec& exec, const bench::Call& call) {
    using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
    bench::with_real_type(call.type, [&]<class T>(T) {
      Kokkos::parallel_for("nbody", Range(exec, 0, call.shape[0]), PlainKernel<T>{Bodies<T>(call)});
    });
  }
};
const bench::PortableVariant<Plain> plain{__FILE__};

} // namespace nbody
