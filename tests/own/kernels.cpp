// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels as users bring them, which ours are not like: no real type, indices as inputs, one output
// that most inputs do not change, short rows, no input at all, O(n^2) operations.
#include <ado/bench/bench.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ado::bench {
namespace {

Extents vector_of(std::size_t n) { return {n, 1, 1}; }
std::vector<ArraySpec> vector_to(std::size_t outputs, std::size_t inputs) {
  return {{"a", 1, vector_of(inputs)}, {"b", 1, vector_of(outputs), true}};
}
std::vector<ArraySpec> vector_to_vector(const Shape& s) { return vector_to(s[0], s[0]); }
std::vector<ArraySpec> vector_to_number(const Shape& s) { return vector_to(1, s[0]); }

/// Adds as unsigned numbers do, so that sums wrap.
template <class T>
T wrapping_sum(T a, T b) {
  using U = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
}
template <class T>
void scan(const Array& a, const Array& b) {
  std::partial_sum(a.as<const T>(), a.as<const T>() + a.extent[0], b.as<T>(), wrapping_sum<T>);
}
void scan_type(Type type, const Array& a, const Array& b) {
  type == Type::i32 ? scan<std::int32_t>(a, b) : scan<std::int64_t>(a, b);
}
const Registration prefix_sum{
    Algorithm{.name = "prefix_sum",
              .formula = "b[i] = a[0] + ... + a[i]",
              .sizes = {{"elements", 'n'}},
              .types = {Type::i32, Type::i64},
              .default_type = Type::i32,
              .arrays = vector_to_vector,
              .oracle = [](Type type, const Shape& s, const std::vector<Array>& in) {
                return exact_oracle(type, vector_of(s[0]), [&](const Array& expected) {
                  scan_type(type, in[0], expected);
                });
              }}};
struct PrefixSum {
  static constexpr std::string_view algorithm = "prefix_sum", name = "loop", summary = "one loop";
  static constexpr Model model = Model::openmp;
  static constexpr TypeSet types{Type::i32, Type::i64};
  static void run(const Call& call) { scan_type(call.type, call.arrays[0], call.arrays[1]); }
};
const HostVariant<PrefixSum> prefix_sum_loop{__FILE__};

const Registration smallest{
    Algorithm{.name = "smallest",
              .formula = "b = min a[i]",
              .sizes = {{"elements", 'n'}},
              .types = real_types,
              .default_type = Type::f64,
              .arrays = vector_to_number,
              .oracle =
                  [](Type type, const Shape&, const std::vector<Array>& in) {
                    return exact_oracle(type, vector_of(1), [&](const Array& expected) {
                      with_real_type(type, [&]<class T>(T) {
                        const T* a = in[0].as<const T>();
                        *expected.as<T>() = *std::min_element(a, a + in[0].extent[0]);
                      });
                    });
                  },
              .witness = [](const Shape&, Type) -> std::optional<Witness> {
                return Witness{.largest = 3, .step = 1, .exact = true};
              }}};
struct Smallest {
  static constexpr std::string_view algorithm = "smallest", name = "loop", summary = "one loop";
  static constexpr Model model = Model::openmp;
  static constexpr TypeSet types = real_types;
  static double rounding_steps(const Shape&, Type) { return 0; }
  static std::size_t workspace_bytes(const Shape&, Type) { return 8; }
  template <class T>
  static void run(const Call& call) {
    const T* a = call.arrays[0].as<const T>();
    T least = a[0];
#pragma omp parallel for num_threads(call.queue.threads) reduction(min : least)
    for (std::size_t i = 0; i < call.shape[0]; ++i)
      least = a[i] < least ? a[i] : least;
    *call.arrays[1].as<T>() = least;
  }
};
const HostVariant<Smallest> smallest_loop{__FILE__};

/// Of each row one element decides; where it is, a kernel says only if it reads the whole row.
void find_largest(const Call& call, std::size_t left_out) {
  const Array& a = call.arrays[0];
  with_real_type(call.type, [&]<class T>(T) {
    for (std::size_t i = 0; i < call.shape[0]; ++i) {
      const T* row = a.as<const T>() + i * a.stride[0];
      call.arrays[1].as<std::int64_t>()[i] =
          std::max_element(row, row + call.shape[1] - left_out) - row;
    }
  });
}
const Registration place_of_largest{Algorithm{
    .name = "place_of_largest",
    .formula = "b[i] = first k with the largest a[i][k]",
    .sizes = {{"rows"}, {"cols"}},
    .types = real_types,
    .default_type = Type::f32,
    .arrays =
        [](const Shape& s) {
          return std::vector<ArraySpec>{{"a", 2, {s[0], s[1], 1}},
                                        {.name = "b",
                                         .rank = 1,
                                         .extent = vector_of(s[0]),
                                         .output = true,
                                         .own_type = Type::i64}};
        },
    .oracle =
        [](Type type, const Shape& s, const std::vector<Array>& in) {
          return exact_oracle(Type::i64, vector_of(s[0]), [&](const Array& expected) {
            find_largest({.type = type, .shape = s, .arrays = {in[0], expected}, .queue = {}}, 0);
          });
        }}};
struct PlaceOfLargest {
  static constexpr std::string_view algorithm = "place_of_largest", name = "loop",
                                    summary = "one loop";
  static constexpr Model model = Model::openmp;
  static constexpr TypeSet types = real_types;
  static double rounding_steps(const Shape&, Type) { return 0; }
  static void run(const Call& call) { find_largest(call, 0); }
};
const HostVariant<PlaceOfLargest> place_of_largest_loop{__FILE__};
struct ShortRows : PlaceOfLargest {
  static constexpr std::string_view name = "short_rows";
  static void run(const Call& call) { find_largest(call, 1); }
};
const HostVariant<ShortRows> place_in_short_rows{__FILE__};

/// One number of all: in any order, and in a workspace filled by prepare.
const Registration total{Algorithm{
    .name = "total",
    .formula = "b = sum of a[i]^2",
    .sizes = {{"elements", 'n'}},
    .types = real_types,
    .default_type = Type::f64,
    .arrays = vector_to_number,
    .oracle =
        [](Type type, const Shape& s, const std::vector<Array>& in) {
          return oracle_of_sums(type, 1, double(s[0]),
                                [in, n = s[0]]<class T>(OracleSum<T>& sum, std::size_t) {
                                  for (std::size_t i = 0; i < n; ++i)
                                    sum.add_product(in[0].as<const T>()[i], in[0].as<const T>()[i]);
                                });
        },
    .witness = [](const Shape&, Type) -> std::optional<Witness> {
      return Witness{.largest = 3, .step = 1, .exact = true}; // and not odd
    }}};
struct Total {
  static constexpr std::string_view algorithm = "total", name = "loop", summary = "one loop";
  static constexpr Model model = Model::openmp;
  static constexpr TypeSet types = real_types;
  static double rounding_steps(const Shape& s, Type) { return double(s[0]) + 1; }
  static std::size_t workspace_bytes(const Shape&, Type type) { return size_of(type); }
  static void prepare(const Call& call) { // no template
    with_real_type(call.type, [&]<class T>(T) { *static_cast<T*>(call.workspace) = 0; });
  }
  template <class T>
  static void run(const Call& call) {
    const T* a = call.arrays[0].as<const T>();
    T sum = *static_cast<const T*>(call.workspace); // NaN, if nothing prepared it
    for (std::size_t i = 0; i < call.shape[0]; ++i)
      sum += a[i] * a[i];
    *call.arrays[1].as<T>() = sum;
  }
};
const HostVariant<Total> total_loop{__FILE__};

constexpr std::size_t bins = 50;
void fill_keys(const Array& keys, const Shape& s, std::uint64_t seed) {
  for (std::size_t i = 0; i < s[0]; ++i)
    keys.as<std::int32_t>()[i] =
        static_cast<std::int32_t>((i * 0x9e3779b97f4a7c15u + seed) % 1009 % bins);
}
void count_keys(const Array& keys, const Array& counts) {
  std::fill_n(counts.as<std::int64_t>(), bins, 0);
  for (std::size_t i = 0; i < keys.extent[0]; ++i)
    ++counts.as<std::int64_t>()[keys.as<const std::int32_t>()[i]];
}
const Registration histogram{
    Algorithm{.name = "histogram",
              .formula = "counts[k] = how many keys are k",
              .sizes = {{"elements", 'n'}},
              .types = {Type::i32},
              .default_type = Type::i32,
              .arrays =
                  [](const Shape& s) {
                    return std::vector<ArraySpec>{
                        {.name = "keys", .rank = 1, .extent = vector_of(s[0]), .fill = fill_keys},
                        {.name = "counts",
                         .rank = 1,
                         .extent = vector_of(bins),
                         .output = true,
                         .own_type = Type::i64}};
                  },
              .oracle =
                  [](Type, const Shape&, const std::vector<Array>& in) {
                    return exact_oracle(Type::i64, vector_of(bins), [&](const Array& expected) {
                      count_keys(in[0], expected);
                    });
                  },
              .check_inputs = [](const Shape& s, const std::vector<Array>& in) -> std::string {
                const auto* keys = in[0].as<const std::int32_t>();
                const auto is_bin = [](std::int32_t k) { return k >= 0 && k < std::int32_t(bins); };
                return std::all_of(keys, keys + s[0], is_bin) ? "" : "keys: beyond the bins";
              }}};
struct Histogram {
  static constexpr std::string_view algorithm = "histogram", name = "loop", summary = "one loop";
  static constexpr Model model = Model::openmp;
  static constexpr TypeSet types{Type::i32};
  static void run(const Call& call) { count_keys(call.arrays[0], call.arrays[1]); }
};
const HostVariant<Histogram> histogram_loop{__FILE__};

constexpr std::size_t fields = 8;
const Registration norms{
    Algorithm{.name = "norms",
              .formula = "b[i] = sum of a[i][k]^2",
              .sizes = {{"elements", 'n'}},
              .types = {Type::f64}, // no f32
              .default_type = Type::f64,
              .arrays =
                  [](const Shape& s) {
                    return std::vector<ArraySpec>{{"a", 2, {s[0], fields, 1}},
                                                  {"b", 1, vector_of(s[0]), true}};
                  },
              .oracle =
                  [](Type type, const Shape& s, const std::vector<Array>& in) {
                    return oracle_of_sums(
                        type, s[0], fields, [in]<class T>(OracleSum<T>& sum, std::size_t i) {
                          const T* row = in[0].as<const T>() + i * in[0].stride[0];
                          for (std::size_t k = 0; k < fields; ++k)
                            sum.add_product(row[k], row[k]);
                        });
                  }}};
struct Norms {
  static constexpr std::string_view algorithm = "norms", name = "loop", summary = "one loop";
  static constexpr Model model = Model::openmp;
  static constexpr TypeSet types{Type::f64};
  static double rounding_steps(const Shape&, Type) { return fields + 1; }
  template <class T>
  static void run(const Call& call) {
    const Array& a = call.arrays[0];
#pragma omp parallel for num_threads(call.queue.threads)
    for (std::size_t i = 0; i < call.shape[0]; ++i) {
      const T* row = a.as<const T>() + i * a.stride[0];
      call.arrays[1].as<T>()[i] = std::inner_product(row, row + fields, row, T(0));
    }
  }
};
const HostVariant<Norms> norms_loop{__FILE__};

void count_steps(const Array& steps) {
  for (std::size_t i = 0; i < steps.extent[0]; ++i)
    for (std::size_t j = 0; j < steps.extent[1]; ++j) {
      const double cx = 3.0 * double(j) / double(steps.extent[1]) - 2, cy = double(i % 97) / 97;
      double x = 0, y = 0;
      std::int32_t k = 0;
      for (; k < 100 && x * x + y * y < 4; ++k) {
        const double next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
      }
      steps.as<std::int32_t>()[i * steps.stride[0] + j] = k;
    }
}
const Registration mandelbrot{
    Algorithm{.name = "mandelbrot",
              .formula = "steps until |z| > 2",
              .sizes = {{"rows"}, {"cols"}},
              .types = {Type::i32},
              .default_type = Type::i32,
              .arrays =
                  [](const Shape& s) {
                    return std::vector<ArraySpec>{{"steps", 2, {s[0], s[1], 1}, true}};
                  },
              .oracle =
                  [](Type type, const Shape& s, const std::vector<Array>&) {
                    return exact_oracle(type, {s[0], s[1], 1}, count_steps);
                  }}};
struct Mandelbrot {
  static constexpr std::string_view algorithm = "mandelbrot", name = "loop", summary = "one loop";
  static constexpr Model model = Model::openmp;
  static constexpr TypeSet types{Type::i32};
  static void run(const Call& call) { count_steps(call.arrays[0]); }
};
const HostVariant<Mandelbrot> mandelbrot_loop{__FILE__};

/// Potentials of unit masses on a line.
long double potential(const double* x, std::size_t n, std::size_t i) {
  long double sum = 0;
  for (std::size_t k = 0; k < n; ++k)
    sum += 1 / (0.1L +
                (x[i] - static_cast<long double>(x[k])) * (x[i] - static_cast<long double>(x[k])));
  return sum;
}
const Registration bodies{Algorithm{
    .name = "bodies",
    .formula = "b[i] = sum of 1 / (0.1 + (x[i] - x[k])^2)",
    .sizes = {{"bodies"}},
    .types = {Type::f64},
    .default_type = Type::f64,
    .arrays =
        [](const Shape& s) {
          return std::vector<ArraySpec>{{"x", 1, vector_of(s[0])}, {"b", 1, vector_of(s[0]), true}};
        },
    .bytes =
        [](const Shape& s, Type) {
          return MovedBytes{80.0 * double(s[0]), 8.0 * double(s[0])};
        },
    .flops = [](const Shape& s, Type) { return 5.0 * double(s[0]) * double(s[0]); },
    .oracle =
        [](Type type, const Shape& s, const std::vector<Array>& in) {
          return oracle_of_values(type, s[0], [in, n = s[0]](std::size_t i) {
            const long double value = potential(in[0].as<const double>(), n, i);
            return ExactValue{value, 10 * static_cast<double>(value)};
          });
        }}};
struct Bodies {
  static constexpr std::string_view algorithm = "bodies", name = "loop", summary = "two loops";
  static constexpr Model model = Model::openmp;
  static constexpr TypeSet types{Type::f64};
  static double rounding_steps(const Shape& s, Type) { return double(s[0]) + 5; }
  template <class T>
  static void run(const Call& call) {
    const T* x = call.arrays[0].as<const T>();
#pragma omp parallel for num_threads(call.queue.threads)
    for (std::size_t i = 0; i < call.shape[0]; ++i) {
      T sum = 0;
      for (std::size_t k = 0; k < call.shape[0]; ++k)
        sum += 1 / (T(0.1) + (x[i] - x[k]) * (x[i] - x[k]));
      call.arrays[1].as<T>()[i] = sum;
    }
  }
};
const HostVariant<Bodies> bodies_loop{__FILE__};

} // namespace
} // namespace ado::bench
