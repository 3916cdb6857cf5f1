// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --ncu-csv: any bytes are a table of Nsight Compute, which is judged and printed, or an
// InputError.
#include "target.hpp"
#include <ado/bench/io/files.hpp>
#include <ado/bench/profile/ncu_verdict.hpp>

#include <cmath>
#include <sstream>

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder;
  try {
    const auto kernels = ado::bench::read_ncu_csv(folder.put("ncu.csv", fuzz::text_of(data, size)));
    for (const ado::bench::NcuKernel& kernel : kernels)
      for (const auto& [name, value] : kernel.metrics)
        fuzz::require(std::isfinite(value), "metrics are numbers");
    std::ostringstream out;
    ado::bench::print_ncu(out, kernels);
    ado::bench::print_ncu(out, kernels, {"transpose"});
  } catch (const ado::bench::InputError&) {
  }
  return 0;
}
