// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Problems with two outputs: of different types, the largest number of each row and where it is; of
// one type, its last number and the sum of its squares.
#include <ado/bench/bench.hpp>
#include <ado/portable/variant.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace ado::bench {
namespace {

/// Both have rows, and two results a row.
Algorithm of_rows(std::string_view name, std::string_view formula,
                  decltype(Algorithm::arrays) arrays, decltype(Algorithm::oracle) oracle,
                  std::string_view best) {
  return {.name = name,
          .formula = formula,
          .sizes = {{"rows"}, {"cols"}},
          .types = real_types,
          .default_type = Type::f32,
          .arrays = arrays,
          .oracle = oracle,
          .best = best};
}
std::vector<ArraySpec> row_results(const Shape& s, std::string_view first, std::string_view second,
                                   std::optional<Type> of_second = {}) {
  return {
      {"a", 2, {s[0], s[1], 1}},
      {first, 1, {s[0], 1, 1}, true},
      {.name = second, .rank = 1, .extent = {s[0], 1, 1}, .output = true, .own_type = of_second}};
}

/// The first of the largest, from `begin` on.
template <class T>
KOKKOS_FUNCTION std::size_t place_of_largest(const T* row, std::size_t begin, std::size_t end) {
  std::size_t place = begin;
  for (std::size_t k = begin + 1; k < end; ++k)
    if (row[k] > row[place]) place = k;
  return place;
}

template <class T>
std::unique_ptr<Oracle> oracle_of_largest(Type type, const Shape& s, const Array& a) {
  return exact_oracle(type, {s[0], 1, 1}, [&](const Array& values) {
    for (std::size_t i = 0; i < s[0]; ++i) {
      const T* row = a.as<const T>() + i * a.stride[0];
      values.as<T>()[i] = row[place_of_largest(row, 0, s[1])];
    }
  });
}
template <class T>
std::unique_ptr<Oracle> oracle_of_places(const Shape& s, const Array& a) {
  return exact_oracle(Type::i64, {s[0], 1, 1}, [&](const Array& places) {
    for (std::size_t i = 0; i < s[0]; ++i)
      places.as<std::int64_t>()[i] =
          static_cast<std::int64_t>(place_of_largest(a.as<const T>() + i * a.stride[0], 0, s[1]));
  });
}

const Registration largest{of_rows(
    "largest", "value[i] = largest a[i][k], place[i] = its first k",
    [](const Shape& s) { return row_results(s, "value", "place", Type::i64); },
    [](Type type, const Shape& s, const std::vector<Array>& in) {
      std::unique_ptr<Oracle> oracle;
      with_real_type(type, [&]<class T>(T) {
        oracle =
            oracle_of_each(oracle_of_largest<T>(type, s, in[0]), oracle_of_places<T>(s, in[0]));
      });
      return oracle;
    },
    "rows")};

/// `late_places`: places are those of the row without its first number.
template <bool late_places>
struct Largest {
  static constexpr std::string_view algorithm = "largest", name = late_places ? "late" : "rows",
                                    summary = "a row a work item";
  static constexpr TypeSet types = real_types;
  static double rounding_steps(const Shape&, Type) { return 0; }

  template <class T, class Exec>
  static void run_typed(const Exec& exec, const Call& call) {
    const auto a = view_of<Exec, const T**>(call, 0);
    const auto value = view_of<Exec, T*>(call, 1);
    const auto place = view_of<Exec, std::int64_t*>(call, 2);
    Kokkos::parallel_for(
        "largest", Kokkos::RangePolicy<Exec>(exec, 0, call.shape[0]), KOKKOS_LAMBDA(std::size_t i) {
          value(i) = a(i, place_of_largest(&a(i, 0), 0, a.extent(1)));
          place(i) =
              static_cast<std::int64_t>(place_of_largest(&a(i, 0), late_places, a.extent(1)));
        });
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&]<class T>(T) { run_typed<T>(exec, call); });
  }
};
const PortableVariant<Largest<false>> rows{__FILE__};
const PortableVariant<Largest<true>> late{__FILE__};

const Registration ends{of_rows(
    "ends", "last[i] = a[i][cols - 1], squares[i] = sum over k of a[i][k]^2",
    [](const Shape& s) { return row_results(s, "last", "squares"); },
    [](Type type, const Shape& s, const std::vector<Array>& in) {
      const auto ends_of_rows = [&](const Array& last) {
        with_real_type(type, [&]<class T>(T) {
          for (std::size_t i = 0; i < s[0]; ++i)
            last.as<T>()[i] = in[0].as<const T>()[i * in[0].stride[0] + s[1] - 1];
        });
      };
      return oracle_of_each(
          exact_oracle(type, {s[0], 1, 1}, ends_of_rows),
          oracle_of_sums(type, s[0], double(s[1]),
                         [a = in[0], n = s[1]]<class T>(OracleSum<T>& sum, std::size_t i) {
                           const T* row = a.as<const T>() + i * a.stride[0];
                           for (std::size_t k = 0; k < n; ++k)
                             sum.add_product(row[k], row[k]);
                         }));
    },
    "forwards")};

template <bool from_the_end>
struct Ends {
  static constexpr std::string_view algorithm = "ends",
                                    name = from_the_end ? "backwards" : "forwards",
                                    summary = "a row a work item";
  static constexpr TypeSet types = real_types;
  static double rounding_steps(const Shape& s, Type) { return double(s[1]) + 1; }

  template <class T, class Exec>
  static void run_typed(const Exec& exec, const Call& call) {
    const auto a = view_of<Exec, const T**>(call, 0);
    const auto last = view_of<Exec, T*>(call, 1);
    const auto squares = view_of<Exec, T*>(call, 2);
    Kokkos::parallel_for(
        "ends", Kokkos::RangePolicy<Exec>(exec, 0, call.shape[0]), KOKKOS_LAMBDA(std::size_t i) {
          const std::size_t n = a.extent(1);
          T sum = 0;
          for (std::size_t k = 0; k < n; ++k) {
            const T x = a(i, from_the_end ? n - 1 - k : k);
            sum += x * x;
          }
          last(i) = a(i, n - 1);
          squares(i) = sum;
        });
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&]<class T>(T) { run_typed<T>(exec, call); });
  }
};
const PortableVariant<Ends<false>> forwards{__FILE__};
const PortableVariant<Ends<true>> backwards{__FILE__};

} // namespace
} // namespace ado::bench
