// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A case's data, and what its variants showed before they are measured on them.
#pragma once

#include <ado/bench/cli/plan.hpp>
#include <ado/bench/data/bench.hpp>
#include <ado/bench/data/witness.hpp>
#include <ado/bench/stream/streamed_data.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace ado::bench {

/// Fills the inputs of a case: made data, and files named by --input. Throws InputError.
void load_data(HostData& data, const Case& c, const Options& options);

/// The variant of --reference, on its device; null: not asked for, or there is none.
const Variant* reference_variant(const Case& c, const Options& options, const Device& device);

struct CaseBenches {
  /// The inputs: in host memory, or in slices if the device has no room for all.
  std::unique_ptr<HostData> whole;
  std::unique_ptr<StreamedData> streamed;
  std::unique_ptr<Bench> reference; ///< null: there is none
  std::unique_ptr<Bench> bench;
  /// What each variant of a row showed, in the order of variants_of(); empty: nobody wants to know.
  std::vector<std::vector<Seen>> seen;
  std::vector<Seen> seen_reference;
};

/// Allocates the case's arrays, runs its rows from `first` on with other inputs, then loads the
/// measured inputs. For a streamed case, that first run uses one slice, in arrays freed afterwards.
/// Throws InputError, OutOfMemory, and Error for a file that is read in slices.
CaseBenches open_case(const Case& c, std::size_t first, const Options& options, Device& device,
                      Device& reference_device);

} // namespace ado::bench
