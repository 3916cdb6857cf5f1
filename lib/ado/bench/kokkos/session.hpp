// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kokkos from its start to its end, with messages where it would end the program.
#pragma once

#include <string>
#include <vector>

namespace ado {

/// Kokkos' OpenMP backend has an array of so many (MAX_THREAD_COUNT in its OpenMPTraits), and does
/// not look whether they fit.
constexpr int most_threads = 512;

/// Kokkos ends the program with a backtrace where it dislikes a variable KOKKOS_* or an option, and
/// goes on without what it cannot find. Here each is one message: exit status 2, or 3 where it is
/// no setting that is wrong.
class KokkosSession {
public:
  /// Hands Kokkos its own arguments and nothing else. Throws UsageError for an option that Kokkos
  /// does not know and for a tool that it cannot load; what it aborts on ends the program.
  explicit KokkosSession(const std::vector<std::string>& arguments);
  KokkosSession(const KokkosSession&) = delete;
  KokkosSession& operator=(const KokkosSession&) = delete;
  ~KokkosSession();
};

/// A device that is not there. Throws Error; says on stderr where an option has no effect.
void check_kokkos_device(const std::vector<std::string>& arguments);

} // namespace ado
