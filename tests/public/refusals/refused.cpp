// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that must not compile. After each line, "refused:" names the text of the one static_assert
// that explains it; check.cmake counts these texts in the compiler's output. A compiler prints each
// once per combination of types, so the lines use different types.
#include <ado/ado.hpp>

#include <Kokkos_Core.hpp>

/// Memory that no execution space can access.
struct FarMemory {
  using memory_space = FarMemory;
  using execution_space = Kokkos::DefaultHostExecutionSpace;
  using device_type = Kokkos::Device<execution_space, memory_space>;
  using size_type = std::size_t;
  static constexpr const char* name() { return "Far"; }
  void* allocate(std::size_t) const { return nullptr; }
  void deallocate(void*, std::size_t) const {}
};

struct Three {
  char bytes[3];
};
struct Owner {
  Owner(const Owner&) {}
  int* data = nullptr;
};

template <class DataType>
using View = Kokkos::View<DataType, Kokkos::LayoutRight, Kokkos::DefaultExecutionSpace>;
template <class DataType>
using Unmanaged =
    Kokkos::View<DataType, Kokkos::DefaultExecutionSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
template <class DataType>
using Far =
    Kokkos::View<DataType, Kokkos::LayoutRight, FarMemory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

void refused(const Kokkos::DefaultExecutionSpace& exec, const View<float>& f0,
             const View<float*>& f1, const View<float**>& f2, const View<float***>& f3,
             const View<double*>& d1, const View<double**>& d2, const View<double***>& d3,
             const View<const float*>& c1, const View<const float**>& c2,
             const View<const float>& c0, const View<const double**>& cd2, const View<int***>& i3,
             const View<int**>& i2, const View<int*>& i1, const View<short*>& s1) {
#ifdef REFUSED
  ado::transpose(exec, f1, f2);            // refused: ado: View of the wrong rank
  ado::transpose(exec, f2, f3);            // refused: ado: View of the wrong rank
  ado::average(exec, f2, f2);              // refused: ado: View of the wrong rank
  ado::average(exec, d3, d1);              // refused: ado: View of the wrong rank
  ado::average_mv(exec, f3, c1, f2);       // refused: ado: View of the wrong rank
  ado::yax(exec, f2, f2, f1, f0);          // refused: ado: View of the wrong rank
  ado::yax(exec, f1, f2, f1, f1);          // refused: ado: View of the wrong rank
  ado::transpose(exec, f2.data(), f2);     // refused: ado::transpose: a is no Kokkos::View
  ado::transpose(exec, i2, f2.data());     // refused: ado::transpose: b is no Kokkos::View
  ado::average(exec, 3, f2);               // refused: ado::average: v is no Kokkos::View
  ado::average(exec, f3, 3);               // refused: ado::average: mean is no Kokkos::View
  ado::average_mv(exec, 3, f2, f2);        // refused: ado::average_mv: v is no Kokkos::View
  ado::average_mv(exec, f3, 3, f2);        // refused: ado::average_mv: a is no Kokkos::View
  ado::average_mv(exec, f3, f2, 3);        // refused: ado::average_mv: y is no Kokkos::View
  ado::vector_add(exec, 3, f1, f1);        // refused: ado::vector_add: a is no Kokkos::View
  ado::vector_add(exec, f1, 3, f1);        // refused: ado::vector_add: b is no Kokkos::View
  ado::vector_add(exec, f1, f1, 3);        // refused: ado::vector_add: c is no Kokkos::View
  ado::yax(exec, 3, f2, f1, f0);           // refused: ado::yax: y is no Kokkos::View
  ado::yax(exec, f1, 3, f1, f0);           // refused: ado::yax: a is no Kokkos::View
  ado::yax(exec, f1, f2, 3, f0);           // refused: ado::yax: x is no Kokkos::View
  ado::yax(exec, f1, f2, f1, 3);           // refused: ado::yax: result is no Kokkos::View
  ado::transpose(f2, f2, f2);              // refused: ado: the first argument must be an instance
  ado::transpose(exec, Far<int**>(), i2);  // refused: ado: the execution space cannot access
  ado::average(exec, Far<float***>(), f2); // refused: ado: the execution space cannot access
  ado::transpose(exec, f2, c2);            // refused: ado: the elements of an output must not be
  ado::average(exec, d3, cd2);             // refused: ado: the elements of an output must not be
  ado::yax(exec, f1, f2, f1, c0);          // refused: ado: the elements of an output must not be
  ado::transpose(exec, f2, d2);            // refused: ado::transpose: a and b must have the same
  ado::average(exec, f3, d2);              // refused: ado::average: v and mean must have the same
  ado::average_mv(exec, f3, d2, f2);       // refused: ado::average_mv: v, a and y must have
  ado::yax(exec, f1, d2, f1, f0);          // refused: ado::yax: y, a, x and result must have
  ado::average(exec, i3, i2);              // refused: ado: the element type must be float or double
  ado::vector_add(exec, f3, f1, f1);       // refused: ado: View of the wrong rank
  ado::vector_add(exec, f1, f1, c1);       // refused: ado: the elements of an output must not be
  ado::vector_add(exec, f1, d1, f1); // refused: ado::vector_add: a, b and c must have the same
  ado::vector_add(exec, s1, s1, s1); // refused: ado::vector_add: the element type must be
  ado::transpose(exec, Unmanaged<Three**>(), Unmanaged<Three**>()); // refused: elements must be of
  ado::transpose(exec, Unmanaged<Owner**>(),
                 Unmanaged<Owner**>()); // refused: moves elements bit by
#else
  ado::transpose(exec, cd2, d2);
  ado::transpose(exec, i2, i2);
  ado::average(exec, d3, d2);
  ado::average_mv(exec, f3, c2, f2);
  ado::yax(exec, c1, f2, f1, f0);
  ado::vector_add(exec, c1, f1, f1);
  ado::vector_add(exec, i1, i1, i1);
  static_cast<void>(d1), static_cast<void>(c0), static_cast<void>(i3), static_cast<void>(s1);
#endif
}
