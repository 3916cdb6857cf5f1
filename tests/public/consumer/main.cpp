// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transposes a matrix with ado and checks every element.
#include <ado/ado.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  using Exec = Kokkos::DefaultExecutionSpace;
  const Kokkos::View<int**, Kokkos::LayoutRight, Exec> a("a", 67, 130), b("b", 130, 67);
  const auto host_a = Kokkos::create_mirror_view(a);
  for (int i = 0; i < 67; ++i)
    for (int j = 0; j < 130; ++j)
      host_a(i, j) = 1000 * i + j;
  Kokkos::deep_copy(a, host_a);

  ado::transpose(a, b);

  const auto host_b = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), b);
  int wrong = 0;
  for (int i = 0; i < 67; ++i)
    for (int j = 0; j < 130; ++j)
      wrong += host_b(j, i) != 1000 * i + j;
  std::printf("%d of %d elements are wrong\n", wrong, 67 * 130);
  return wrong != 0;
}
