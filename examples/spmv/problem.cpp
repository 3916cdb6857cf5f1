// The problem: a sparse matrix times a vector. The matrix is made row by row, or read from files.
#include "spmv.hpp"

#include <string>

namespace bench = ado::bench;

namespace spmv {

namespace {

/// Pseudo-random: equal arguments give equal bits.
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t k) {
  std::uint64_t x = seed + k * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  return x ^ (x >> 31);
}

/// Start of row r. Even rows start where they would if all rows were equally long; an odd row takes
/// elements from its neighbour or gives some away. No row exceeds longest_row().
std::size_t start_of(std::size_t r, const bench::Shape& s, std::uint64_t seed) {
  const auto even = [&](std::size_t row) { return row * s[1] / s[0]; };
  if (r % 2 == 0 || r == s[0]) return r == s[0] ? s[1] : even(r);
  const std::size_t before = even(r - 1), behind = even(r + 1), longest = longest_row(s);
  const std::size_t least = behind - before > longest ? behind - longest : before;
  const std::size_t most = std::min(behind, before + longest);
  return least + random_bits(seed, r) % (most - least + 1);
}

void fill_starts(const bench::Array& array, const bench::Shape& s, std::uint64_t seed) {
  auto* starts = array.as<std::int32_t>();
#pragma omp parallel for schedule(static)
  for (std::size_t r = 0; r <= s[0]; ++r)
    starts[r] = s[0] == 0 ? 0 : std::int32_t(start_of(r, s, seed));
}

/// Ascending, around the diagonal, within four row lengths plus 1000 columns.
void fill_columns(const bench::Array& array, const bench::Shape& s, std::uint64_t seed) {
  auto* columns = array.as<std::int32_t>();
#pragma omp parallel for schedule(static)
  for (std::size_t r = 0; r < s[0]; ++r) {
    const std::size_t first = start_of(r, s, seed), count = start_of(r + 1, s, seed) - first;
    const std::size_t width = std::min(s[0], 4 * count + 1000);
    const std::size_t from = std::min(r - std::min(r, width / 2), s[0] - width);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t here = k * width / count, next = (k + 1) * width / count;
      const std::size_t step = random_bits(seed, first + k) % std::max<std::size_t>(1, next - here);
      columns[first + k] = std::int32_t(from + here + step);
    }
  }
}

std::string check_inputs(const bench::Shape& s, const std::vector<bench::Array>& in) {
  const auto *starts = in[0].as<const std::int32_t>(), *columns = in[1].as<const std::int32_t>();
  const auto row = [](std::size_t r) { return "row_starts: row " + std::to_string(r); };
  if (starts[0] != 0) return row(0) + " starts at " + std::to_string(starts[0]) + ", not at 0";
  for (std::size_t r = 0; r < s[0]; ++r) {
    if (starts[r + 1] < starts[r]) return row(r) + " ends before it starts";
    if (std::size_t(starts[r + 1] - starts[r]) > longest_row(s))
      return row(r) + " has " + std::to_string(starts[r + 1] - starts[r]) +
             " elements; give the longest row by --longest";
  }
  if (std::size_t(starts[s[0]]) != s[1])
    return "row_starts: the last is " + std::to_string(starts[s[0]]) + ", but there are " +
           std::to_string(s[1]) + " nonzeros";
  for (std::size_t k = 0; k < s[1]; ++k)
    if (columns[k] < 0 || std::size_t(columns[k]) >= s[0])
      return "columns: [" + std::to_string(k) + "] is " + std::to_string(columns[k]) +
             ", but x has " + std::to_string(s[0]) + " elements";
  return {};
}

std::vector<bench::ArraySpec> arrays(const bench::Shape& s) {
  return {{.name = "row_starts",
           .rank = 1,
           .extent = {s[0] + 1, 1, 1},
           .own_type = bench::Type::i32,
           .fill = fill_starts},
          {.name = "columns",
           .rank = 1,
           .extent = {s[1], 1, 1},
           .own_type = bench::Type::i32,
           .fill = fill_columns},
          {"values", 1, {s[1], 1, 1}},
          {"x", 1, {s[0], 1, 1}},
          {"y", 1, {s[0], 1, 1}, true}};
}

double flops(const bench::Shape& s, bench::Type) { return 2 * double(s[1]); }

std::unique_ptr<bench::Oracle> oracle(bench::Type type, const bench::Shape& s,
                                      const std::vector<bench::Array>& in) {
  return bench::oracle_of_sums(
      type, s[0], double(longest_row(s)), [in]<class T>(bench::OracleSum<T>& sum, std::size_t r) {
        const auto* starts = in[0].as<const std::int32_t>();
        const auto* columns = in[1].as<const std::int32_t>();
        for (std::int32_t k = starts[r]; k < starts[r + 1]; ++k)
          sum.add_product(in[2].as<const T>()[k], in[3].as<const T>()[columns[k]]);
      });
}

/// 27 elements per row, like trilinear finite elements; the longest row has twice as many.
bench::Shape shape_of_size(std::size_t elements) { return {elements / 27 + 1, elements, 54}; }

const bench::Registration registered{bench::Algorithm{
    .name = "spmv",
    .formula = "y = A x, A in compressed rows",
    .sizes = {{"rows"}, {"nonzeros"}, {"longest"}},
    .types = bench::real_types,
    .default_type = bench::Type::f64,
    .arrays = arrays,
    .flops = flops,
    .shape_of_size = shape_of_size,
    .classic = {4'000'000, 108'000'000, 54},
    .oracle = oracle,
    .check_inputs = check_inputs,
    .best = "tuned",
    .ladder = {"plain", "lanes", "tuned"},
}};

} // namespace

} // namespace spmv
