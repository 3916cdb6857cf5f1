// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From Kokkos Views to what kernels take: pointers, extents, leading dimensions. Kernels are
// compiled for element types, not for View types, so instantiations stay few.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/core/error.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <type_traits>

namespace ado::detail {

/// A rank-2 View whose rows or columns are contiguous. Where `by_columns` is false, element (i, j)
/// is data[i * ld + j]; otherwise data[j * ld + i].
template <class T>
struct MatrixRef {
  T* data;
  std::size_t rows, columns, ld;
  bool by_columns;

  std::size_t row_stride() const { return by_columns ? 1 : ld; }
  std::size_t column_stride() const { return by_columns ? ld : 1; }
  /// The same memory read the other way: the transposed matrix.
  MatrixRef transposed() const { return {data, columns, rows, ld, !by_columns}; }
};

template <class View>
std::string shape_of(const View& view) {
  std::string text = "(";
  for (unsigned r = 0; r < View::rank(); ++r)
    text += (r == 0 ? "" : ", ") + std::to_string(view.extent(r));
  return text + ")";
}

/// What a function runs on that is given no instance: the default one of the View's execution
/// space. For what is no View it is any, so that the function's own check of that argument speaks
/// first.
template <class View>
auto default_instance() {
  if constexpr (Kokkos::is_view_v<View>)
    return typename View::execution_space();
  else
    return Kokkos::DefaultExecutionSpace();
}

// The checks of types are true or do not compile. In a static_assert a compiler makes them where
// they stand, before what follows from a wrong type. That an argument is a View each function
// checks itself: the message names it.

template <class Exec>
consteval bool check_exec() {
  static_assert(Kokkos::is_execution_space_v<Exec>,
                "ado: the first argument must be an instance of an execution space");
  return true;
}

template <class Exec, class View, int rank>
consteval bool check_view() {
  static_assert(check_exec<Exec>());
  static_assert(View::rank() == rank, "ado: View of the wrong rank");
  static_assert(Kokkos::SpaceAccessibility<Exec, typename View::memory_space>::accessible,
                "ado: the execution space cannot access the View's memory space");
  return true;
}

template <class Exec, class View, int rank>
consteval bool check_output() {
  static_assert(check_view<Exec, View, rank>());
  static_assert(!std::is_const_v<typename View::value_type>,
                "ado: the elements of an output must not be const");
  return true;
}

template <class T>
consteval bool check_real() {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "ado: the element type must be float or double");
  return true;
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

template <class View>
std::string strides_of(const View& view) {
  std::string text = "(";
  for (unsigned r = 0; r < View::rank(); ++r)
    text += (r == 0 ? "" : ", ") + std::to_string(stride_of(view, r));
  return text + ")";
}

/// Throws, naming shape and strides of the argument.
template <class View>
[[noreturn]] void bad_strides(const char* function, const char* name, const View& view,
                              const char* mend) {
  bad_argument(function, std::string(name) + " of shape " + shape_of(view) + " has strides " +
                             strides_of(view) + "; " + mend);
}

/// Throws if the bytes of that many elements do not fit in 64 bits. Only then is the text made:
/// three texts were nearly half of yax's instructions outside the kernel
/// (docs/lab/constants.md#yax).
template <class T>
void check_bytes(const char* function, const char* name,
                 std::initializer_list<std::size_t> elements) {
  if (const auto fit = product_of(elements); fit && product_of({*fit, sizeof(T)})) return;
  const std::string what = std::string("ado::") + function + ": " + name;
  const std::size_t count = checked_product(elements, what.c_str());
  checked_product({count, sizeof(T)}, what.c_str());
}

/// The View as a MatrixRef; throws where neither rows nor columns are contiguous.
template <class View>
auto matrix_ref(const char* function, const char* name, const View& view)
    -> MatrixRef<typename View::value_type> {
  using T = typename View::value_type;
  const std::size_t rows = view.extent(0), columns = view.extent(1);
  const std::size_t s0 = stride_of(view, 0), s1 = stride_of(view, 1);
  check_bytes<T>(function, name, {rows, columns});
  if (columns <= 1 || s1 == 1) {
    if (rows > 1 && s0 < columns)
      bad_strides(function, name, view, "its rows overlap, so give each its own memory");
    return {view.data(), rows, columns, rows <= 1 ? columns : s0, false};
  }
  if (rows <= 1 || s0 == 1) {
    if (s1 < rows)
      bad_strides(function, name, view, "its columns overlap, so give each its own memory");
    return {view.data(), rows, columns, s1, true};
  }
  bad_strides(function, name, view,
              "one of them must be 1, so copy it into a LayoutRight or LayoutLeft View first");
}

/// Throws unless a rank-1 View is contiguous.
template <class View>
auto vector_ref(const char* function, const char* name, const View& view) ->
    typename View::value_type* {
  check_bytes<typename View::value_type>(function, name, {view.extent(0)});
  if (view.extent(0) > 1 && stride_of(view, 0) != 1)
    bad_strides(function, name, view, "it must be 1, so copy it into a contiguous View first");
  return view.data();
}

} // namespace ado::detail
