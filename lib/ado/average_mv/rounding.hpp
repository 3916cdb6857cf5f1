// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of roundings in the error bounds of average_mv.
#pragma once

#include <ado/average/rounding.hpp>
#include <ado/average_mv/detail/tuned.hpp>

#include <cstddef>

namespace ado::detail {

namespace device_product {

/// Roundings on the longest path.
template <class Exec, class T>
double rounding_steps(std::size_t length, std::size_t sets) {
  return with_tile<T, tensor_cores_multiply<Exec, T>>(length, sets, [&]<class Tile>() {
    constexpr int products = Tile::by == By::fma ? 1 : 0; // may be rounded before they are added
    return Tile::template steps<T>(length) + products;
  });
}

} // namespace device_product

/// Roundings on the longest path of product_tuned.
template <class Exec, class T>
double product_tuned_steps(std::size_t sets, std::size_t length) {
  return runs_on_host<Exec> ? host_product::rounding_steps(length)
                            : device_product::rounding_steps<Exec, T>(length, sets);
}

/// The same for average_mv_tuned, over both its steps.
template <class Exec, class T>
double average_mv_tuned_steps(std::size_t sets, std::size_t length, std::size_t count) {
  return average_tuned_steps<Exec, T>(sets * length, count) +
         product_tuned_steps<Exec, T>(sets, length);
}

} // namespace ado::detail
