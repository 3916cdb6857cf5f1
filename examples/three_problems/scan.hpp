// What the scan's problem and its variants share.
#pragma once
#include <ado/bench/bench.hpp>

#include <cstdint>

namespace scan {

struct ScanVariant {
  static constexpr std::string_view algorithm = "scan";
  static constexpr ado::bench::TypeSet types{ado::bench::Type::i32, ado::bench::Type::i64};
};

/// Calls f with a number of the run's type; unsigned, because sums wrap.
template <class F>
void with_unsigned(ado::bench::Type type, const F& f) {
  type == ado::bench::Type::i32 ? f(std::uint32_t{}) : f(std::uint64_t{});
}

} // namespace scan
