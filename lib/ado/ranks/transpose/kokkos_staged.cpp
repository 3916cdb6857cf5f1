// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose on ranks, kokkos, staged: b[j][i] = a[i][j], rows of a and of b dealt out; of GPUs
//   mapping   `packed` of a host with copies to page-locked memory before and from there behind the messages
//   scratch   a copy of the rank's rows of a, and one of its rows of b, on the device and on the host
//   bytes     what is sent goes over the link to the host and back, beside MPI's own copies
//   teaches   what works with any MPI and between any machines, and what that costs
#include <ado/ranks/transpose/kokkos.hpp>

namespace ado {

struct StagedOnRanks {
  static constexpr std::string_view algorithm = "transpose", name = "staged";
  static constexpr std::string_view summary = "through page-locked memory of the host, by MPI";
  static constexpr TypeSet types = all_types;
  static constexpr bool on_ranks = true;
  template <class Exec>
  static constexpr bool runs_on = on_gpu<Exec>;

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    // It keeps page-locked memory, which takes longer to make than a call.
    transpose_on_ranks(Way::staged, exec, call, comm_of_ranks().kept<Workspace<Exec>>([] {
      return std::make_shared<Workspace<Exec>>();
    }));
  }
};
const PortableVariant<StagedOnRanks> staged_on_ranks_registered{__FILE__};

} // namespace ado
