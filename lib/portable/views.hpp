// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From Kokkos Views to what kernels take: pointers, extents, leading dimensions. Kernels are
// compiled for element types, not for View types, so instantiations stay few.
#pragma once

#include <ado/core/error.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace ado {

/// A rank-2 View whose rows or columns are contiguous. Where `by_columns` is false, element (i, j)
/// is data[i * ld + j]; otherwise data[j * ld + i].
template <class T>
struct MatrixRef {
  T* data;
  std::size_t rows, columns, ld;
  bool by_columns;

  /// The same memory read the other way: the transposed matrix.
  MatrixRef transposed() const { return {data, columns, rows, ld, !by_columns}; }
};

namespace detail {

template <class View>
std::string shape_of(const View& view) {
  std::string text = "(";
  for (unsigned r = 0; r < View::rank(); ++r)
    text += (r == 0 ? "" : ", ") + std::to_string(view.extent(r));
  return text + ")";
}

template <class Exec, class View, int rank>
constexpr void check_view() {
  static_assert(Kokkos::is_view_v<View>, "ado: array arguments must be Kokkos Views");
  static_assert(View::rank() == rank, "ado: View of the wrong rank");
  static_assert(Kokkos::SpaceAccessibility<Exec, typename View::memory_space>::accessible,
                "ado: the execution space cannot access the View's memory space");
}

[[noreturn]] inline void bad_argument(const std::string& function, const std::string& what) {
  throw InvalidArgument("ado::" + function + ": " + what);
}

/// Throws unless `extent` of the argument `name` is `wanted`.
template <class View, class Other>
void check_extent(const char* function, const char* name, const View& view, int dimension,
                  const char* other_name, const Other& other, std::size_t wanted) {
  if (view.extent(dimension) == wanted) return;
  bad_argument(function, std::string(name) + " has shape " + shape_of(view) + ", but with " +
                             other_name + " of shape " + shape_of(other) + " its extent " +
                             std::to_string(dimension) + " must be " + std::to_string(wanted));
}

template <class View>
std::size_t stride_of(const View& view, int dimension) {
  return static_cast<std::size_t>(view.stride(dimension));
}

/// The View as a MatrixRef; throws where neither rows nor columns are contiguous.
template <class View>
auto matrix_ref(const char* function, const char* name, const View& view)
    -> MatrixRef<typename View::value_type> {
  using T = typename View::value_type;
  const std::size_t rows = view.extent(0), columns = view.extent(1);
  const std::size_t s0 = stride_of(view, 0), s1 = stride_of(view, 1);
  auto* data = const_cast<T*>(view.data());
  if (columns <= 1 || s1 == 1) {
    if (rows > 1 && s0 < columns) bad_argument(function, std::string(name) + ": rows overlap");
    return {data, rows, columns, rows <= 1 ? columns : s0, false};
  }
  if (rows <= 1 || s0 == 1) {
    if (s1 < rows) bad_argument(function, std::string(name) + ": columns overlap");
    return {data, rows, columns, s1, true};
  }
  bad_argument(function, std::string(name) + " of shape " + shape_of(view) + " has strides (" +
                             std::to_string(s0) + ", " + std::to_string(s1) +
                             "); one of them must be 1, so copy it into a LayoutRight or "
                             "LayoutLeft View first");
}

/// Throws unless a rank-1 View is contiguous.
template <class View>
auto vector_ref(const char* function, const char* name, const View& view) ->
    typename View::value_type* {
  if (view.extent(0) > 1 && stride_of(view, 0) != 1)
    bad_argument(function, std::string(name) + " of shape " + shape_of(view) + " has stride " +
                               std::to_string(stride_of(view, 0)) +
                               "; it must be 1, so copy it into a contiguous View first");
  return const_cast<typename View::value_type*>(view.data());
}

} // namespace detail
} // namespace ado
