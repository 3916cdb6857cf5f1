// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kokkos from start to end, with messages where it would end the program.
#pragma once

#include <iosfwd>
#include <set>
#include <string>
#include <vector>

namespace ado::bench {

/// Kokkos' OpenMP backend has an array of this size (MAX_THREAD_COUNT in its OpenMPTraits) and does
/// not check whether the threads fit.
constexpr int most_threads = 512;

/// Kokkos aborts with a backtrace if it dislikes a KOKKOS_* variable or an option, and goes on
/// without what it cannot find. Here each case is one message: exit status 2, or 3 if no setting is
/// wrong.
class KokkosSession {
public:
  /// Hands Kokkos only its own arguments. Throws UsageError for an option that Kokkos does not know
  /// and for a tool that it cannot load, and Error if there are two OpenMP runtimes; what Kokkos
  /// aborts on ends the program.
  explicit KokkosSession(const std::vector<std::string>& arguments);
  KokkosSession(const KokkosSession&) = delete;
  KokkosSession& operator=(const KokkosSession&) = delete;
  ~KokkosSession();
};

/// The files of OpenMP runtimes among those that /proc/self/maps lists.
std::set<std::string> openmp_runtimes(std::istream& maps);

/// Throws Error for a device that does not exist; says on stderr if an option has no effect.
void check_kokkos_device(const std::vector<std::string>& arguments);

} // namespace ado::bench
