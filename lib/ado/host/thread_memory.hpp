// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of a kernel that stays in a core's caches. It is not on the stack: an OpenMP thread may
// have 64 KiB of that (OMP_STACKSIZE), and larger objects overwrite other memory without a word.
#pragma once

#include <memory>

namespace ado::detail {

/// The calling thread's own Memory, as it was left. Only the first call allocates: it stays until
/// the thread ends.
template <class Memory>
Memory& memory_of_thread() {
  thread_local const std::unique_ptr<Memory> memory(new Memory);
  return *memory; // NOLINT(clang-analyzer-cplusplus.NewDelete): it lives as long as the thread
}

} // namespace ado::detail
