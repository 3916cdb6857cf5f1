// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/core/elements.hpp>
#include <ado/registry/registry.hpp>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <type_traits>

namespace ado::bench {
namespace {

std::vector<ArraySpec> arrays(const Shape& s) {
  const Extents extent{s[0], 1, 1};
  return {{"a", 1, extent}, {"b", 1, extent}, {"c", 1, extent, true}};
}

double flops(const Shape& s, Type type) { return info(type).floating ? double(s[0]) : 0; }

/// The sum is rounded once, so it is the same number in every variant. Its bits are compared,
/// except for a NaN, whose payload IEEE leaves open.
template <class T>
bool same_sum(T a, T b, T c) {
  const auto sum = static_cast<T>(a + b);
  if constexpr (std::is_integral_v<T>) return sum == c;
  if (sum != sum) return c != c;
  using Bits = ElementOfBytes<sizeof(T)>;
  return std::bit_cast<Bits>(sum) == std::bit_cast<Bits>(c);
}

class VectorAddOracle : public Oracle {
public:
  VectorAddOracle(Type type, const std::vector<Array>& inputs)
      : type_(type), a_(inputs[0]), b_(inputs[1]) {}

  Check check(const Array& c, const Tolerance&) const override {
    Check result;
    with_addend(type_, [&](auto zero) { compare<decltype(zero)>(c, result); });
    result.ok = result.wrong == 0;
    if (!result.ok) result.max_error = result.worst_bound_share = 1.0 / 0.0;
    return result;
  }

private:
  template <class T>
  void compare(const Array& output, Check& result) const {
    const T *a = a_.as<const T>(), *b = b_.as<const T>(), *c = output.as<const T>();
    const std::size_t n = a_.extent[0];
    std::size_t wrong = 0, first = n;
#pragma omp parallel for reduction(+ : wrong) reduction(min : first)
    for (std::size_t i = 0; i < n; ++i)
      if (!same_sum(a[i], b[i], c[i])) {
        ++wrong;
        if (i < first) first = i;
      }
    result.wrong = wrong;
    if (wrong == 0) return;
    const auto sum = static_cast<T>(a[first] + b[first]);
    char text[96];
    if constexpr (std::is_integral_v<T>)
      std::snprintf(text, sizeof text, "c[%zu] is %lld, should be %lld", first, as_signed(c[first]),
                    as_signed(sum));
    else
      std::snprintf(text, sizeof text, "c[%zu] is %.17g, should be %.17g", first, double(c[first]),
                    double(sum));
    result.first_wrong = text;
  }

  /// The signed number with the bits of an addend, which is unsigned.
  template <class T>
  static long long as_signed(T bits) {
    return static_cast<std::make_signed_t<T>>(bits);
  }

  Type type_;
  Array a_, b_;
};

std::unique_ptr<Oracle> oracle(Type type, const Shape&, const std::vector<Array>& inputs) {
  return std::make_unique<VectorAddOracle>(type, inputs);
}

/// 0, 1, primes, lengths around a pack, a warp, a cache line, a team and its packs, and more than a
/// few of these.
std::vector<Shape> edge_shapes() {
  std::vector<Shape> shapes;
  for (const std::size_t n :
       {0,    1,    2,    3,    4,    5,    7,     8,     15,    16,    17,     31,     32,
        33,   63,   64,   65,   127,  128,  255,   256,   257,   511,   1023,   1024,   1025,
        1031, 4095, 4096, 4097, 4099, 8191, 16383, 16384, 16385, 65536, 100003, 300007, 524287})
    shapes.push_back({n, 1, 1});
  return shapes;
}

const Registration registered{Algorithm{
    .name = "vector_add",
    .formula = "c[i] = a[i] + b[i]",
    .sizes = {{"elements", 'n'}},
    .types = addend_types,
    .default_type = Type::f32,
    .usual = false,
    .arrays = arrays,
    .flops = flops,
    .classic = {std::size_t{1} << 30, 1, 1},
    .edge_shapes = edge_shapes,
    .oracle = oracle,
    .tuned = "tuned",
    .ladder = {"serial", "plain", "strided", "coalesced", "several", "read_only", "wide", "team",
               "tuned"},
    .exhibits = {"banks", "divergent"},
    .slicing = Slicing{.size = 0, .cut = {0, 0, 0}},
}};

} // namespace
} // namespace ado::bench
