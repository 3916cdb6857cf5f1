// The problem: how many keys there are of each value.
#include "histogram.hpp"

namespace bench = ado::bench;

namespace histogram {

namespace {

// Kernels use keys as indices, so each must be a bin: eight bits of a hash of place and seed.
void fill_keys(const bench::Array& keys, const bench::Shape& s, std::uint64_t seed) {
  for (std::size_t i = 0; i < s[0]; ++i)
    keys.as<std::int32_t>()[i] = static_cast<std::int32_t>((i + seed) * 0x9e3779b97f4a7c15u >> 56);
}

// Keys of 32 bits, the type of the run, and counts of 64.
std::vector<bench::ArraySpec> arrays(const bench::Shape& s) {
  return {{.name = "keys", .rank = 1, .extent = {s[0], 1, 1}, .fill = fill_keys},
          {.name = "counts",
           .rank = 1,
           .extent = {bins, 1, 1},
           .output = true,
           .own_type = bench::Type::i64}};
}

// What would lead a kernel astray: a key from a file that is no bin.
std::string check_inputs(const bench::Shape& s, const std::vector<bench::Array>& in) {
  for (std::size_t i = 0; i < s[0]; ++i)
    if (const std::int32_t key = in[0].as<const std::int32_t>()[i]; key < 0 || key >= int(bins))
      return "keys: " + std::to_string(key) + " at " + std::to_string(i) + " is not a bin";
  return "";
}

std::unique_ptr<bench::Oracle> oracle(bench::Type, const bench::Shape& s,
                                      const std::vector<bench::Array>& in) {
  return bench::exact_oracle(bench::Type::i64, {bins, 1, 1}, [&](const bench::Array& counts) {
    for (std::size_t i = 0; i < s[0]; ++i)
      ++counts.as<std::int64_t>()[in[0].as<const std::int32_t>()[i]];
  });
}

const bench::Registration registered{bench::Algorithm{.name = "histogram",
                                                      .formula = "counts[k] = how many keys are k",
                                                      .sizes = {{"elements", 'n'}},
                                                      .types = HistogramVariant::types,
                                                      .default_type = bench::Type::i32,
                                                      .arrays = arrays,
                                                      .oracle = oracle,
                                                      .check_inputs = check_inputs,
                                                      .best = "own_counts",
                                                      .ladder = {"plain", "own_counts"}}};

} // namespace

} // namespace histogram
