// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls with an argument that is no View, or no execution space. CALL selects the one that is
// compiled: the first error must be the text after "first:", not a consequence of it. Compilers
// check in different orders, so each overload has its own call.
#include <ado/ado.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <vector>

void no_view([[maybe_unused]] const Kokkos::DefaultExecutionSpace& exec,
             [[maybe_unused]] const Kokkos::View<float>& f0,
             [[maybe_unused]] const Kokkos::View<float*>& f1,
             [[maybe_unused]] const Kokkos::View<float**>& f2,
             [[maybe_unused]] const Kokkos::View<float***>& f3,
             [[maybe_unused]] std::vector<float>& vector) {
#if CALL == 1
  ado::transpose(exec, 3, f2); // first: ado::transpose: a is no Kokkos::View
#elif CALL == 2
  ado::transpose(f2, vector); // first: ado::transpose: b is no Kokkos::View
#elif CALL == 3
  ado::average(exec, vector, f2); // first: ado::average: v is no Kokkos::View
#elif CALL == 4
  ado::average_mv(f3, f2, f2.data()); // first: ado::average_mv: y is no Kokkos::View
#elif CALL == 5
  ado::vector_add(exec, vector, f1, f1); // first: ado::vector_add: a is no Kokkos::View
#elif CALL == 6
  ado::yax(exec, f1, f2, vector, f0); // first: ado::yax: x is no Kokkos::View
#elif CALL == 7
  ado::yax(f1, std::array<float, 4>(), f1); // first: ado::yax: a is no Kokkos::View
#elif CALL == 8
  ado::average(3, f3, f2); // first: ado: the first argument must be an instance
#elif CALL == 9
  ado::transpose(3, f2, f2); // first: ado: the first argument must be an instance
#elif CALL == 10
  ado::transpose(f2, f2, f2); // first: ado: the first argument must be an instance
#elif CALL == 11
  ado::average_mv(vector, f3, f2, f2); // first: ado: the first argument must be an instance
#elif CALL == 12
  ado::vector_add(3, f1, f1, f1); // first: ado: the first argument must be an instance
#elif CALL == 13
  ado::yax(3, f1, f2, f1, f0); // first: ado: the first argument must be an instance
#elif CALL == 14
  ado::Workspace<int> workspace; // first: ado::Workspace: Exec must be an execution space
  static_cast<void>(workspace);
#elif CALL == 15
  ado::average(f2, f2); // first: ado: View of the wrong rank
#elif CALL == 16
  ado::average_mv(f3, f1, f2); // first: ado: View of the wrong rank
#elif CALL == 17
  ado::yax(exec, f1, f1, f1); // first: ado: View of the wrong rank
#elif CALL == 18
  ado::yax(exec, f1, 3, f1); // first: ado::yax: a is no Kokkos::View
#else
  ado::transpose(exec, f2, f2);
#endif
}
