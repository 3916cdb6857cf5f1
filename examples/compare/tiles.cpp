// b[i][j] = 2 a[i][j] by an MDRangePolicy, in Kokkos' own tiles and in tiles of 4 x 64.
#include <ado/bench/comparison.hpp>

namespace bench = ado::bench;
using Exec = Kokkos::DefaultExecutionSpace;
using Policy =
    Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2, Kokkos::Iterate::Right, Kokkos::Iterate::Right>>;

void twice(const Policy& policy, const bench::Call& call) {
  const auto a = bench::view_of<Exec, const float**>(call, 0);
  const auto b = bench::view_of<Exec, float**>(call, 1);
  Kokkos::parallel_for(
      "twice", policy, KOKKOS_LAMBDA(int i, int j) { b(i, j) = 2 * a(i, j); });
}
void usual(const Exec& exec, const bench::Call& call) {
  twice(Policy(exec, {0, 0}, {long(call.shape[0]), long(call.shape[1])}), call);
}
void wide(const Exec& exec, const bench::Call& call) {
  twice(Policy(exec, {0, 0}, {long(call.shape[0]), long(call.shape[1])}, {4, 64}), call);
}

const bench::Comparison<usual, wide> registered{
    __FILE__,
    bench::Algorithm{
        .name = "tiles",
        .formula = "b[i][j] = 2 a[i][j]",
        .sizes = {{"rows"}, {"cols"}},
        .types = {bench::Type::f32},
        .default_type = bench::Type::f32,
        .arrays =
            [](const bench::Shape& s) {
              const bench::Extents e{s[0], s[1], 1};
              return std::vector<bench::ArraySpec>{{"a", 2, e}, {"b", 2, e, true}};
            },
        .oracle =
            [](bench::Type type, const bench::Shape& s, const std::vector<bench::Array>& in) {
              return bench::exact_oracle(type, {s[0], s[1], 1}, [&](const bench::Array& b) {
                for (std::size_t i = 0; i < s[0]; ++i)
                  for (std::size_t j = 0; j < s[1]; ++j)
                    b.as<float>()[i * s[1] + j] = 2 * in[0].as<float>()[i * in[0].stride[0] + j];
              });
            }}};
