// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces raise (--wrap) in programs of the preset coverage: saves the counts first.
extern "C" {
void __gcov_dump();
int __real_raise(int signal);
int __wrap_raise(int signal);
}

int __wrap_raise(int signal) {
  __gcov_dump();
  return __real_raise(signal);
}
