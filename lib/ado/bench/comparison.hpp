// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two functions in Kokkos that solve one problem, compared with each other.
#pragma once

#include <ado/bench/bench.hpp>
#include <ado/portable/variant.hpp>

#include <string_view>
#include <type_traits>

namespace ado::bench {

/// Rounding steps of a function whose results are exact.
inline double exact(const Shape&, Type) { return 0; }

/// Registers a problem and two functions that solve it on Kokkos' default execution space:
///
///     void first(const Kokkos::DefaultExecutionSpace& exec, const Call& call);
///     void second(const Kokkos::DefaultExecutionSpace& exec, const Call& call);
///     const Comparison<first, second> registered{__FILE__, Algorithm{...}};
///
/// They become the variants `first` and `second`, which run in turn; the ratio is the time of
/// `second` over that of `first`. `steps` is Variant::rounding_steps of both. Like a variant's run,
/// they put their work on `exec` and do not wait.
template <auto first, auto second, auto steps = exact>
class Comparison {
  using Exec = Kokkos::DefaultExecutionSpace;

  template <auto function>
  struct Function {
    template <class Space>
    static constexpr bool runs_on = std::is_same_v<Space, Exec>;
    static constexpr bool is_first = function == first;
    static constexpr std::string_view name = is_first ? "first" : "second", summary = name;
    static constexpr std::string_view compared_with = is_first ? "" : "first";
    static inline std::string_view algorithm;
    static inline TypeSet types{};
    static double rounding_steps(const Shape& shape, Type type) { return steps(shape, type); }
    static void run(const Exec& exec, const Call& call) { function(exec, call); }
  };

public:
  Comparison(std::string_view file, Algorithm algorithm) {
    static_assert(first != second, "two functions are compared");
    algorithm.best = "second";
    algorithm.ladder = {"first", "second"};
    add<first>(file, algorithm);
    add<second>(file, algorithm);
    Registration{algorithm};
  }

private:
  template <auto function>
  static void add(std::string_view file, const Algorithm& algorithm) {
    Function<function>::algorithm = algorithm.name;
    Function<function>::types = algorithm.types;
    PortableVariant<Function<function>>{file};
  }
};

} // namespace ado::bench
