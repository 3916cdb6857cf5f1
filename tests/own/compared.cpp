// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two functions in Kokkos and nothing by hand.
#include <ado/bench/comparison.hpp>

#include <algorithm>

namespace ado::bench {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;

void at_once(const Exec& exec, const Call& call) {
  Kokkos::deep_copy(exec, view_of<Exec, double*>(call, 1), view_of<Exec, const double*>(call, 0));
}
void in_halves(const Exec& exec, const Call& call) {
  const std::size_t n = call.shape[0];
  for (const auto& half : {std::pair(std::size_t{0}, n / 2), std::pair(n / 2, n)})
    Kokkos::deep_copy(exec, Kokkos::subview(view_of<Exec, double*>(call, 1), half),
                      Kokkos::subview(view_of<Exec, const double*>(call, 0), half));
}

const Comparison<at_once, in_halves> moved{
    __FILE__, Algorithm{.name = "moved",
                        .formula = "b[i] = a[i]",
                        .sizes = {{"elements", 'n'}},
                        .types = {Type::f64},
                        .default_type = Type::f64,
                        .arrays =
                            [](const Shape& s) {
                              const Extents n{s[0], 1, 1};
                              return std::vector<ArraySpec>{{"a", 1, n}, {"b", 1, n, true}};
                            },
                        .oracle =
                            [](Type type, const Shape& s, const std::vector<Array>& in) {
                              return exact_oracle(type, {s[0], 1, 1}, [&](const Array& b) {
                                std::copy_n(in[0].as<const double>(), s[0], b.as<double>());
                              });
                            }}};

} // namespace
} // namespace ado::bench
