// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run found out, in a few lines behind its table.
#pragma once

#include <ado/bench/run/results.hpp>

#include <iosfwd>

namespace ado {

/// Behind the table: what was wrong, how much was verified and decided, and portable over native of the
/// best variants, which is the answer. Only twins answer: another native variant beside a rung says what the rung costs.
void print_summary(std::ostream& out, const Results& results);

/// The exit status that --max-ratio asks for: 0, also where it was not given; 4: a best variant is surely slower; 5:
/// one may be, or nothing was compared with its twin.
int ratio_status(const Results& results);

} // namespace ado
