// z[i] = 2 x[i] + y[i], once by hand and once in Kokkos: the minimum that the instrument needs.
#include <ado/bench/bench.hpp>
#include <ado/portable/variant.hpp>

namespace bench = ado::bench;

// The problem: its sizes, its arrays with the output last, and the sum that makes each output.
const bench::Registration axpy{bench::Algorithm{
    .name = "axpy",
    .formula = "z[i] = 2 x[i] + y[i]",
    .sizes = {{"elements", 'n'}},
    .types = bench::real_types, // f32 and f64
    .default_type = bench::Type::f64,
    .arrays =
        [](const bench::Shape& s) {
          const bench::Extents n{s[0], 1, 1};
          return std::vector<bench::ArraySpec>{{"x", 1, n}, {"y", 1, n}, {"z", 1, n, true}};
        },
    .flops = [](const bench::Shape& s, bench::Type) { return 2.0 * double(s[0]); },
    .oracle =
        [](bench::Type type, const bench::Shape& s, const std::vector<bench::Array>& in) {
          return bench::oracle_of_sums(type, s[0], 2,
                                       [in]<class T>(bench::OracleSum<T>& sum, std::size_t i) {
                                         sum.add_product(2, in[0].as<const T>()[i]);
                                         sum.add(in[1].as<const T>()[i]);
                                       });
        },
}};

struct Names {
  static constexpr std::string_view algorithm = "axpy", name = "loop", summary = "one loop";
  static constexpr bench::TypeSet types = bench::real_types;
  // Roundings between an input and the output: one with a fused multiply-add, two without.
  static double rounding_steps(const bench::Shape&, bench::Type) { return 2; }
};

struct ByHand : Names {
  static constexpr bench::Model model = bench::Model::openmp;
  template <class T>
  static void run(const bench::Call& call) {
    const T *x = call.arrays[0].as<const T>(), *y = call.arrays[1].as<const T>();
    T* z = call.arrays[2].as<T>();
#pragma omp parallel for num_threads(call.queue.threads)
    for (std::size_t i = 0; i < call.shape[0]; ++i)
      z[i] = 2 * x[i] + y[i];
  }
};
const bench::HostVariant<ByHand> by_hand{__FILE__};

template <class T>
struct Axpy {
  const T *x, *y;
  T* z;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { z[i] = 2 * x[i] + y[i]; }
};

struct InKokkos : Names {
  template <class Exec>
  static void run(const Exec& exec, const bench::Call& call) {
    bench::with_real_type(call.type, [&]<class T>(T) {
      using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
      const auto& a = call.arrays;
      Kokkos::parallel_for("axpy", Range(exec, 0, call.shape[0]),
                           Axpy<T>{a[0].as<const T>(), a[1].as<const T>(), a[2].as<T>()});
    });
  }
};
const bench::PortableVariant<InKokkos> in_kokkos{__FILE__};
