// dot, kokkos and openmp: a reduction
//   mapping   RangePolicy over the elements; by hand a loop with OpenMP's reduction
//   bytes     reads each input once
#include "dot.hpp"

#include <ado/portable/variant.hpp>

namespace dot {

std::vector<bench::ArraySpec> arrays(const bench::Shape& s) {
  const bench::Extents n{s[0], 1, 1};
  return {{"a", 1, n}, {"b", 1, n}, {"sum", 0, {1, 1, 1}, true}};
}

double flops(const bench::Shape& s, bench::Type) { return 2 * double(s[0]); }

std::unique_ptr<bench::Oracle> oracle(bench::Type type, const bench::Shape& s,
                                      const std::vector<bench::Array>& in) {
  return bench::oracle_of_sums(type, 1, double(s[0]),
                               [in, n = s[0]]<class T>(bench::OracleSum<T>& sum, std::size_t) {
                                 for (std::size_t i = 0; i < n; ++i)
                                   sum.add_product(in[0].as<const T>()[i], in[1].as<const T>()[i]);
                               });
}

// Whole numbers of either sign, whose sums are exact: one element left out shows.
std::optional<bench::Witness> witness(const bench::Shape&, bench::Type) {
  return bench::Witness{.largest = 3, .step = 1, .exact = true, .odd = true};
}

const bench::Registration registered{bench::Algorithm{.name = "dot",
                                                      .formula = "sum of a[i] b[i]",
                                                      .sizes = {{"elements", 'n'}},
                                                      .types = bench::real_types,
                                                      .default_type = bench::Type::f64,
                                                      .arrays = arrays,
                                                      .flops = flops,
                                                      .classic = {1 << 27, 1, 1},
                                                      .oracle = oracle,
                                                      .witness = witness,
                                                      .best = "plain"}};

struct ByHand : Names {
  static constexpr std::string_view summary = "OpenMP's reduction";
  static constexpr bench::Model model = bench::Model::openmp;

  template <class T>
  static void run(const bench::Call& call) {
    const T *a = call.arrays[0].as<const T>(), *b = call.arrays[1].as<const T>();
    T sum = 0;
#pragma omp parallel for simd num_threads(call.queue.threads) schedule(static) reduction(+ : sum)
    for (std::size_t i = 0; i < call.shape[0]; ++i)
      sum += a[i] * b[i];
    *call.arrays[2].as<T>() = sum;
  }
};
const bench::HostVariant<ByHand> by_hand{__FILE__};

template <class T>
struct Kernel {
  const T *a, *b;
  KOKKOS_FUNCTION void operator()(std::size_t i, T& sum) const { sum += a[i] * b[i]; }
};

struct InKokkos : Names {
  static constexpr std::string_view summary = "parallel_reduce";

  template <class Exec>
  static void run(const Exec& exec, const bench::Call& call) {
    using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
    bench::with_real_type(call.type, [&]<class T>(T) {
      Kokkos::parallel_reduce("dot", Range(exec, 0, call.shape[0]),
                              Kernel<T>{call.arrays[0].as<const T>(), call.arrays[1].as<const T>()},
                              bench::view_of<Exec, T>(call, 2));
    });
  }
};
const bench::PortableVariant<InKokkos> in_kokkos{__FILE__};

} // namespace dot
