// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sum of two vectors.
#pragma once

#include <ado/core/elements.hpp>
#include <ado/portable/views.hpp>
#include <ado/vector_add/detail/team.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace ado {

namespace detail {

/// The type in which kernels add T: for any integer, an unsigned integer of its size.
template <class T>
struct AddendOf {
  using type = std::conditional_t<std::is_integral_v<T>, ElementOfBytes<sizeof(T)>, T>;
  static_assert(std::is_same_v<type, float> || std::is_same_v<type, double> ||
                    std::is_same_v<type, std::uint32_t> || std::is_same_v<type, std::uint64_t>,
                "ado::vector_add: the element type must be float, double or an integer of 4 or 8 "
                "bytes");
};

} // namespace detail

/// c(i) = a(i) + b(i).
///
/// a, b  (n), contiguous
/// c     (n), contiguous; may be a or b itself, must not overlap them otherwise
///
/// All of one element type: float, double or an integer of 4 or 8 bytes. Integers wrap, signed ones
/// too, as unsigned ones of their size do. Any n. Asynchronous on `exec`; allocates nothing and
/// does not fence. O(n): reads a and b once, writes c once. Throws InvalidArgument before anything
/// is launched.
template <class Exec, class A, class B, class C>
void vector_add(const Exec& exec, const A& a, const B& b, const C& c) {
  using T = typename C::non_const_value_type;
  detail::check_view<Exec, A, 1>();
  detail::check_view<Exec, B, 1>();
  detail::check_output<Exec, C, 1>();
  static_assert(std::is_same_v<typename A::non_const_value_type, T> &&
                    std::is_same_v<typename B::non_const_value_type, T>,
                "ado::vector_add: a, b and c must have the same element type");
  using E = typename detail::AddendOf<T>::type;
  detail::check_extent("vector_add", "b", b, 0, "a", a, a.extent(0));
  detail::check_extent("vector_add", "c", c, 0, "a", a, a.extent(0));
  const T* left = detail::vector_ref("vector_add", "a", a);
  const T* right = detail::vector_ref("vector_add", "b", b);
  T* sum = detail::vector_ref("vector_add", "c", c);
  Kokkos::Profiling::ScopedRegion region("ado::vector_add");
  detail::vector_add_team(exec, detail::Vectors<E>{a.extent(0), reinterpret_cast<const E*>(left),
                                                   reinterpret_cast<const E*>(right),
                                                   reinterpret_cast<E*>(sum)});
}

} // namespace ado
