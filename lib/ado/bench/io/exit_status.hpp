// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the program's exit status says.
#pragma once

#include <ado/core/error.hpp>

#include <array>
#include <string_view>

namespace ado::bench {

/// The command line is wrong. Exit status 2.
class UsageError : public Error {
public:
  using Error::Error;
};

struct ExitStatus {
  char digit;
  std::string_view meaning;
};

inline constexpr std::array exit_statuses{
    ExitStatus{'0', "all results verified"},
    ExitStatus{'1', "a result was wrong"},
    ExitStatus{'2', "usage or input error, or a team size that does not fit"},
    ExitStatus{'3', "no device, or not enough memory"},
    ExitStatus{'4', "slower: compare --fail-on slower, or a best variant above --max-ratio"},
    ExitStatus{'5', "inconclusive: --max-noise, --max-ratio, or compare --fail-on inconclusive"},
    ExitStatus{'6', "not verified: --skip-verification, or no error bound says anything"},
    ExitStatus{'7', "a kernel crashed, or did not end in time: --kernel-timeout"}};

} // namespace ado::bench
