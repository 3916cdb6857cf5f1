// What the histogram's problem and its variants share.
#pragma once
#include <ado/bench/bench.hpp>

#include <cstdint>

namespace histogram {

constexpr std::size_t bins = 256;

struct HistogramVariant {
  static constexpr std::string_view algorithm = "histogram";
  static constexpr ado::bench::TypeSet types{ado::bench::Type::i32};
};

struct Keys {
  explicit Keys(const ado::bench::Call& call)
      : keys(call.arrays[0].as<const std::int32_t>()),
        counts(call.arrays[1].as<std::int64_t>()),
        count(call.shape[0]) {}
  const std::int32_t* keys;
  std::int64_t* counts;
  std::size_t count;
};

} // namespace histogram
