// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose on ranks, kokkos, staged: b[j][i] = a[i][j], rows of a and b distributed; GPUs only
//   mapping   the host's `packed`, with copies to page-locked memory before the messages and back
//             after them
//   scratch   a copy of the rank's rows of a, and one of its rows of b, on the device and on the
//             host
//   bytes     what is sent crosses the link to the host and back, besides MPI's own copies
//   teaches   the way that works with any MPI and between any machines, and its cost
#include <ado/ranks/transpose/kokkos.hpp>

namespace ado::bench {

struct StagedOnRanks {
  static constexpr std::string_view algorithm = "transpose", name = "staged";
  static constexpr std::string_view summary = "through page-locked memory of the host, by MPI";
  static constexpr TypeSet types = all_types;
  static constexpr bool on_ranks = true;
  template <class Exec>
  static constexpr bool runs_on = on_gpu<Exec>;

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    // Kept, because page-locked memory takes longer to allocate than a call takes.
    transpose_on_ranks(Way::staged, exec, call, comm_of_ranks().kept<Workspace<Exec>>([] {
      return std::make_shared<Workspace<Exec>>();
    }));
  }
};
const PortableVariant<StagedOnRanks> staged_on_ranks_registered{__FILE__};

} // namespace ado::bench
