// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sum of two vectors.
#pragma once

#include <ado/core/elements.hpp>
#include <ado/portable/views.hpp>
#include <ado/vector_add/detail/tuned.hpp>

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

/// The sum of two vectors: c(i) = a(i) + b(i).
///
/// \param exec  instance of an execution space that can access a, b and c
/// \param a     shape (n), any layout of stride 1
/// \param b     shape (n), any layout of stride 1
/// \param c     shape (n), any layout of stride 1; is overwritten
/// \throws InvalidArgument  where shapes or strides do not fit; before anything is launched
///
/// Types: all have one element type, float, double or an integer of 4 or 8 bytes. Integers wrap,
/// signed ones too, as unsigned ones of their size do.
///
/// Shapes: any n, counted in elements.
///
/// Layouts: a row of a LayoutLeft matrix has another stride and is refused; copy it first. Fastest
/// on a GPU if a, b and c lie alike to a boundary of 16 bytes.
///
/// Aliasing: c may be a or b itself; otherwise it must not overlap them.
///
/// Asynchrony: returns when the work is in the queue of exec. Neither allocates nor fences.
///
/// Cost: O(n); reads a and b once, writes c once.
///
/// Accuracy: each element is rounded once, as IEEE addition is, so every run gives the same bits.
///
/// There is no alpha and no beta. KokkosBlas::update(alpha, a, beta, b, 0, c) has both.
///
/// Example:
///
///     Kokkos::View<double*> a("a", 1000), b("b", 1000), c("c", 1000);
///     ado::vector_add(a, b, c);
template <class Exec, class A, class B, class C>
void vector_add(const Exec& exec, const A& a, const B& b, const C& c) {
  static_assert(Kokkos::is_view_v<A>, "ado::vector_add: a is no Kokkos::View");
  static_assert(Kokkos::is_view_v<B>, "ado::vector_add: b is no Kokkos::View");
  static_assert(Kokkos::is_view_v<C>, "ado::vector_add: c is no Kokkos::View");
  using T = typename C::non_const_value_type;
  static_assert(detail::check_view<Exec, A, 1>());
  static_assert(detail::check_view<Exec, B, 1>());
  static_assert(detail::check_output<Exec, C, 1>());
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
  detail::vector_add_tuned(exec, detail::Vectors<E>{a.extent(0), reinterpret_cast<const E*>(left),
                                                    reinterpret_cast<const E*>(right),
                                                    reinterpret_cast<E*>(sum)});
}

/// The same on the default instance of c's execution space.
template <class A, class B, class C>
void vector_add(const A& a, const B& b, const C& c) {
  ado::vector_add(detail::default_instance<C>(), a, b, c);
}

} // namespace ado
