// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ways of a transpose on many ranks, and how all of them come to take the same.
#pragma once

#include <ado/distributed/agree.hpp>
#include <ado/distributed/blocks.hpp>
#include <ado/distributed/comm.hpp>
#include <ado/distributed/host_memory.hpp>
#include <ado/distributed/peer_plan.hpp>
#include <ado/distributed/peers.hpp>
#include <ado/distributed/transpose_pieces.hpp>
#include <ado/distributed/transpose_staged.hpp>
#include <ado/portable/views.hpp>
#include <ado/portable/workspace.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#ifdef KOKKOS_ENABLE_CUDA
#include <ado/distributed/transpose_peers.hpp>
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace ado::distributed::detail {

/// Automatic: pieces on a host; where GPUs reach each other's memory, slabs if each b lies in whole
/// pages, else remote_stores (docs/lab/constants.md#transpose); else staged. Staged on a host sends
/// whole blocks. The other three throw InvalidArgument, on all ranks, where one cannot reach
/// another's memory.
enum class Way { automatic, staged, remote_stores, packed, slabs };

/// What does not fit of a call on this rank; empty where all does.
template <class A, class B>
std::string transpose_problem(const Comm& comm, const A& a, const Blocks& rows, const B& b,
                              const Blocks& columns) {
  if (const std::string problem = cut_problem(comm, "rows", rows); !problem.empty()) return problem;
  if (const std::string problem = cut_problem(comm, "columns", columns); !problem.empty())
    return problem;
  const auto extents = [&](const char* name, const auto& view, std::size_t first,
                           std::size_t second) -> std::string {
    if (view.extent(0) == first && view.extent(1) == second) return "";
    return std::string(name) + " has shape " + ado::detail::shape_of(view) +
           ", but with these blocks of rows and columns it must be (" + std::to_string(first) +
           ", " + std::to_string(second) + ")";
  };
  const std::string of_a = extents("a", a, rows.count(comm.rank()), columns.total());
  if (!of_a.empty()) return of_a;
  if (a.size() != 0 && static_cast<const void*>(a.data()) == static_cast<const void*>(b.data()))
    return "b is the memory of a; ado does not transpose in place";
  return extents("b", b, columns.count(comm.rank()), rows.total());
}

/// One call: its arguments, and what the ranks tell each other before anything is sent.
template <class Exec, class A, class B>
class TransposeCall {
public:
  using T = typename B::non_const_value_type;

  TransposeCall(const Exec& exec, const Comm& comm, const A& a, const Blocks& rows, const B& b,
                const Blocks& columns, Workspace<Exec>& workspace)
      : exec_(exec),
        comm_(comm),
        a_(a),
        rows_(rows),
        b_(b),
        columns_(columns),
        workspace_(workspace) {}

  /// `slabs`: how many for each target, or 0.
  void run(Way way, std::size_t slabs) {
    const std::vector<Offer> offers = tell(way, slabs);
    Kokkos::Profiling::ScopedRegion region("ado::distributed::transpose");
    if (way != Way::staged) {
      std::string why_not = "this execution space has no way into memory of other ranks";
      if constexpr (has_peers<Exec>) why_not = this->write_to_peers(way, slabs, offers);
      if (why_not.empty()) return;
      if (way != Way::automatic) throw InvalidArgument("ado::distributed::transpose: " + why_not);
    }
    bool ready = true;
    for (const Offer& offer : offers)
      ready = ready && offer.can_stage != 0;
    if (!ready)
      agree(comm_, function, terms(Way::staged), [&] {
        stage(way);
        return std::string();
      });
    if constexpr (ado::detail::runs_on_host<Exec>)
      if (way == Way::automatic)
        return run_pieces(exec_, comm_, a_, rows_, b_, columns_, workspace_.template as<T>());
    run_staged(exec_, comm_, a_, rows_, b_, columns_, workspace_.template as<T>(), *host_);
  }

private:
  static constexpr const char* function = "transpose";

  auto terms(Way way) const {
    return std::array{Term{"the number of rows", rows_.total()},
                      Term{"the number of columns", columns_.total()},
                      Term{"the bytes of an element", sizeof(T)},
                      Term{"where blocks of rows begin (a fingerprint)", number_of(rows_)},
                      Term{"where blocks of columns begin (a fingerprint)", number_of(columns_)},
                      Term{"the way of the transpose", static_cast<std::uint64_t>(way)}};
  }
  /// Memory for the way through messages.
  void stage(Way way) {
    if constexpr (ado::detail::runs_on_host<Exec>)
      if (way == Way::automatic)
        return workspace_.reserve(
            pieces_workspace_bytes<Exec>(rows_, columns_, comm_.rank(), sizeof(T)));
    const std::size_t bytes = staged_workspace_bytes(rows_, columns_, comm_.rank(), sizeof(T));
    workspace_.reserve(bytes);
    host_.emplace(comm_, bytes / sizeof(T));
  }
  /// Where all ranks agree: what each says of its b. Nothing of this rank's work on b is under way
  /// then.
  std::vector<Offer> tell(Way way, [[maybe_unused]] std::size_t slabs) {
    const auto prepare = [&](Message& message) {
      const std::string problem = transpose_problem(comm_, a_, rows_, b_, columns_);
      if (!problem.empty()) return problem;
      (void)ado::detail::matrix_ref("transpose", "a", a_);
      [[maybe_unused]] const auto to = ado::detail::matrix_ref("transpose", "b", b_);
      Offer offer;
      if constexpr (has_peers<Exec>)
        if (way != Way::staged) offer = this->offer_to_peers(way, slabs, to);
      if (offer.state == Offer::out_of_reach) {
        stage(way);
        offer.can_stage = 1;
      }
      message = offer.message();
      return problem;
    };
    return offers_of(agree_and_tell(comm_, function, terms(way), prepare));
  }

#ifdef KOKKOS_ENABLE_CUDA
  template <class Ref>
  Offer offer_to_peers(Way way, std::size_t slabs, const Ref& to) const {
    const int me = comm_.rank();
    (void)staged_workspace_bytes(rows_, columns_, me, sizeof(T)); // fits in 64 bits
    Offer offer = peers_of(comm_, exec_).offer(comm_, exec_.cuda_device(), to.data, b_.size() == 0);
    if (offer.state == Offer::out_of_reach) return offer;
    offer.ld = to.ld;
    offer.by_columns = to.by_columns ? 1 : 0;
    if (way == Way::packed)
      workspace_.reserve(packed_workspace_bytes(me, rows_, columns_, sizeof(T)));
    else if (way == Way::slabs || (way == Way::automatic && has_whole_pages(offer)))
      workspace_.reserve(slab_workspace_bytes(me, rows_, columns_, sizeof(T), slabs));
    exec_.fence("ado::distributed::transpose: others may write b");
    return offer;
  }
  /// Returns why the ranks cannot, or an empty text where b is complete.
  std::string write_to_peers(Way way, std::size_t slabs, const std::vector<Offer>& offers) const {
    PeerMemory& memory = peers_of(comm_, exec_);
    std::string why_not = memory.open(comm_, offers);
    if (!why_not.empty()) return why_not;
    const PeerTranspose transpose(comm_, a_, rows_, b_, columns_, memory, offers);
    T* const staging = workspace_.template as<T>();
    if (way == Way::automatic)
      way = std::all_of(offers.begin(), offers.end(), has_whole_pages) ? Way::slabs
                                                                       : Way::remote_stores;
    if (way == Way::remote_stores)
      transpose.remote_stores();
    else if (way == Way::packed)
      transpose.packed(staging);
    else
      transpose.slabs(staging, slabs);
    return "";
  }
#endif

  const Exec& exec_;
  const Comm& comm_;
  const A& a_;
  const Blocks& rows_;
  const B& b_;
  const Blocks& columns_;
  Workspace<Exec>& workspace_;
  std::optional<HostMemory<Exec, T>> host_;
};

} // namespace ado::distributed::detail
