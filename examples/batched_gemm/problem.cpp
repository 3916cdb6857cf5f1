// The problem: many products of small matrices.
#include "gemm.hpp"

namespace bench = ado::bench;

namespace batched_gemm {

namespace {

std::vector<bench::ArraySpec> arrays(const bench::Shape& s) {
  const bench::Extents matrices{s[0], s[1], s[1]};
  return {{"a", 3, matrices}, {"x", 3, matrices}, {"c", 3, matrices, true}};
}

double flops(const bench::Shape& s, bench::Type) {
  return 2 * double(s[0]) * double(s[1]) * double(s[1]) * double(s[1]);
}

std::unique_ptr<bench::Oracle> oracle(bench::Type type, const bench::Shape& s,
                                      const std::vector<bench::Array>& in) {
  const std::size_t n = s[1];
  return bench::oracle_of_sums(type, s[0] * n * n, double(n),
                               [in, n]<class T>(bench::OracleSum<T>& sum, std::size_t k) {
                                 const std::size_t matrix = k / (n * n), i = k / n % n, j = k % n;
                                 const T* a = in[0].as<const T>() + matrix * n * n + i * n;
                                 const T* x = in[1].as<const T>() + matrix * n * n + j;
                                 for (std::size_t l = 0; l < n; ++l)
                                   sum.add_product(a[l], x[l * n]);
                               });
}

/// As many 16 x 16 matrices as that takes.
bench::Shape shape_of_size(std::size_t elements) { return {elements / 256 + 1, 16, 1}; }

const bench::Registration registered{bench::Algorithm{
    .name = "batched_gemm",
    .formula = "c[b] = a[b] * x[b]",
    .sizes = {{"batch"}, {"order"}},
    .types = bench::real_types,
    .default_type = bench::Type::f32,
    .arrays = arrays,
    .flops = flops,
    .shape_of_size = shape_of_size,
    .classic = {std::size_t{1} << 20, 16, 1},
    .oracle = oracle,
    .best = "tuned",
    .ladder = {"plain", "tuned"},
}};

} // namespace

} // namespace batched_gemm
