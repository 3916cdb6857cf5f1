// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/io/number.hpp>
#include <ado/bench/run/kernel_lines.hpp>

#include <algorithm>
#include <iterator>

namespace ado::bench {
namespace {

constexpr KernelLines table[]{
#include <ado/bench/run/kernel_lines.inc>
};

} // namespace

std::string KernelLines::share_text() const {
  return number("%.0f %%", 100. * of_one_backend / all);
}

const KernelLines* kernel_lines(const Variant& variant) {
  const auto* const found = std::find_if(std::begin(table), std::end(table), [&](const auto& row) {
    return row.algorithm == variant.algorithm && row.variant == variant.name;
  });
  return variant.model == Model::kokkos && found != std::end(table) ? found : nullptr;
}

} // namespace ado::bench
