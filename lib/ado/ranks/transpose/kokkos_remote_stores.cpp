// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose on ranks, kokkos, remote_stores: b[j][i] = a[i][j], rows distributed; GPUs of one host
//   mapping   `tuned` once per rank, with that rank's columns of b as output
//   scratch   the tile
//   bytes     reads a once; stores cross the link in pieces as long as a row of the tile
//   needs     GPUs that reach each other's memory
//   teaches   the least code, and its price: short stores fill half of the link
#include <ado/ranks/transpose/kokkos.hpp>

namespace ado::bench {

struct RemoteStoresOnRanks {
  static constexpr std::string_view algorithm = "transpose", name = "remote_stores";
  static constexpr std::string_view summary = "kernels store tiles into the other ranks' memory";
  static constexpr TypeSet types = all_types;
  static constexpr bool on_ranks = true;
  template <class Exec>
  static constexpr bool runs_on = on_gpu<Exec>;

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    transpose_on_ranks(Way::remote_stores, exec, call);
  }
};
const PortableVariant<RemoteStoresOnRanks> remote_stores_on_ranks_registered{__FILE__};

} // namespace ado::bench
