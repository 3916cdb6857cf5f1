// z[i] = 2 x[i] + y[i], once by hand and once in Kokkos: the least that the instrument asks for.
#include <ado/bench/bench.hpp>
#include <ado/portable/variant.hpp>

// The problem: its sizes and arrays, the output last, and what each output is the sum of.
const ado::Registration axpy{ado::Algorithm{
    .name = "axpy",
    .formula = "z[i] = 2 x[i] + y[i]",
    .sizes = {{"elements", 'n'}},
    .types = ado::real_types, // f32 and f64
    .default_type = ado::Type::f64,
    .arrays =
        [](const ado::Shape& s) {
          const ado::Extents n{s[0], 1, 1};
          return std::vector<ado::ArraySpec>{{"x", 1, n}, {"y", 1, n}, {"z", 1, n, true}};
        },
    .flops = [](const ado::Shape& s, ado::Type) { return 2.0 * double(s[0]); },
    .oracle =
        [](ado::Type type, const ado::Shape& s, const std::vector<ado::Array>& in) {
          return ado::oracle_of_sums(type, s[0], 2,
                                     [in]<class T>(ado::OracleSum<T>& sum, std::size_t i) {
                                       sum.add_product(2, in[0].as<const T>()[i]);
                                       sum.add(in[1].as<const T>()[i]);
                                     });
        },
}};

struct Names {
  static constexpr std::string_view algorithm = "axpy", name = "loop", summary = "one loop";
  static constexpr ado::TypeSet types = ado::real_types;
  // The roundings between an input and the output: with a fused multiply-add one, without two.
  static double rounding_steps(const ado::Shape&, ado::Type) { return 2; }
};

struct ByHand : Names {
  static constexpr ado::Model model = ado::Model::openmp;
  template <class T>
  static void run(const ado::Call& call) {
    const T *x = call.arrays[0].as<const T>(), *y = call.arrays[1].as<const T>();
    T* z = call.arrays[2].as<T>();
#pragma omp parallel for num_threads(call.queue.threads)
    for (std::size_t i = 0; i < call.shape[0]; ++i)
      z[i] = 2 * x[i] + y[i];
  }
};
const ado::HostVariant<ByHand> by_hand{__FILE__};

template <class T>
struct Axpy {
  const T *x, *y;
  T* z;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { z[i] = 2 * x[i] + y[i]; }
};

struct InKokkos : Names {
  template <class Exec>
  static void run(const Exec& exec, const ado::Call& call) {
    ado::with_real_type(call.type, [&]<class T>(T) {
      using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
      const auto& a = call.arrays;
      Kokkos::parallel_for("axpy", Range(exec, 0, call.shape[0]),
                           Axpy<T>{a[0].as<const T>(), a[1].as<const T>(), a[2].as<T>()});
    });
  }
};
const ado::PortableVariant<InKokkos> in_kokkos{__FILE__};
