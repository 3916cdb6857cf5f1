// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ado throws. Every message names what was wrong, where, and how to mend it.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace ado {

/// Base of everything that ado throws.
class Error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// An argument of a library function does not fit; thrown before anything is launched or written.
class InvalidArgument : public Error {
public:
  using Error::Error;
};

/// Memory could not be had. Nothing is leaked and the library stays usable.
class OutOfMemory : public Error {
public:
  /// `label` says what they were for.
  OutOfMemory(const std::string& label, std::size_t bytes)
      : Error("out of memory: " + label + " needs " + std::to_string(bytes) + " bytes"),
        bytes_(bytes) {}
  /// How many bytes were asked for.
  std::size_t bytes() const { return bytes_; }

private:
  std::size_t bytes_;
};

} // namespace ado
