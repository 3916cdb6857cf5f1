// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every way of ado::distributed::transpose that this build has, and how one is chosen. On GPUs:
// memory that is freed and allocated anew, memory that cannot be shared, handles that do not open,
// and the hand-written twins.
#include "matrices.hpp"
#include "ranks.hpp"
#include <ado/distributed/peer_plan.hpp>
#include <ado/distributed/transpose.hpp>

#include <Kokkos_Complex.hpp>
#ifdef KOKKOS_ENABLE_CUDA
#include <native_cuda/transpose/ranks/ranks.hpp>
#endif

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using namespace ado::distributed;
using Exec = Kokkos::DefaultExecutionSpace;
using Workspace = ado::Workspace<Exec>;
using detail::Way;
using Right = Kokkos::LayoutRight;
using Left = Kokkos::LayoutLeft;

/// A way, and for slabs their number.
struct Named {
  const char* name;
  Way way;
  std::size_t slabs;
};
const std::vector<Named>& ways() {
  static const std::vector<Named> all = [] {
    std::vector<Named> list{{"automatic", Way::automatic, 0}, {"staged", Way::staged, 0}};
    if (detail::has_peers<Exec>)
      list.insert(list.end(), {{"remote_stores", Way::remote_stores, 0},
                               {"packed", Way::packed, 0},
                               {"slabs", Way::slabs, 0},
                               {"1 slab", Way::slabs, 1},
                               {"3 slabs", Way::slabs, 3},
                               {"7 slabs", Way::slabs, 7}});
    return list;
  }();
  return all;
}

template <class A, class B>
void by(const Named& named, const Comm& comm, const A& a, const Blocks& rows, const B& b,
        const Blocks& columns, Workspace& workspace) {
  const Exec exec;
  detail::TransposeCall(exec, comm, a, rows, b, columns, workspace).run(named.way, named.slabs);
}

/// Blocks that need every part of the plan: short and long rows, several slabs, ranks without rows.
struct Cut {
  Blocks rows, columns;
};
Cut any_cut(const Comm& comm, std::mt19937_64& random, bool large) {
  const std::size_t most = large ? 3000 : 300;
  const std::size_t rows = large ? 1 + random() % most : test::any_extent(random, most);
  const std::size_t columns = large ? 1 + random() % most : test::any_extent(random, most);
  if (random() % 2 == 0) return {Blocks(rows, comm.size()), Blocks(columns, comm.size())};
  return {test::any_blocks(random, rows, comm.size()),
          test::any_blocks(random, columns, comm.size())};
}

#ifdef KOKKOS_ENABLE_CUDA
template <class T>
void by_hand(const Comm& comm, test::Failures& failures, std::mt19937_64& random, const Cut& cut) {
  const auto check = [&](const char* name, const auto& way) {
    const std::size_t gap_a = random() % 5, gap_b = random() % 5;
    test::transposes<T, Right, Right>(comm, failures, std::string("by hand, ") + name, cut.rows,
                                      cut.columns, gap_a, gap_b, [&](const auto& a, const auto& b) {
                                        const ado::bench::native::RankMatrices m{
                                            sizeof(T), a.data(),
                                            static_cast<std::size_t>(a.stride(0)), b.data(),
                                            static_cast<std::size_t>(b.stride(0))};
                                        way(m, Exec().cuda_stream());
                                      });
  };
  using ado::bench::native::RankMatrices;
  check("remote_stores", [&](const RankMatrices& m, cudaStream_t stream) {
    ado::bench::native::transpose_remote_stores(comm, m, cut.rows, cut.columns, stream);
  });
  check("packed", [&](const RankMatrices& m, cudaStream_t stream) {
    ado::bench::native::transpose_packed(comm, m, cut.rows, cut.columns, stream);
  });
  for (const std::size_t slabs : {0, 1, 5})
    check("slabs", [&](const RankMatrices& m, cudaStream_t stream) {
      ado::bench::native::transpose_slabs(comm, m, cut.rows, cut.columns, stream, slabs);
    });
}
#endif

template <class T, class LayoutA, class LayoutB>
void all_ways(const Comm& comm, test::Failures& failures, std::mt19937_64& random,
              Workspace& workspace, const Cut& cut) {
  for (const Named& named : ways()) {
    const std::size_t gap_a = random() % 5, gap_b = random() % 5;
    test::transposes<T, LayoutA, LayoutB>(comm, failures, named.name, cut.rows, cut.columns, gap_a,
                                          gap_b, [&](const auto& a, const auto& b) {
                                            by(named, comm, a, cut.rows, b, cut.columns, workspace);
                                          });
  }
}

template <class T>
void shapes(const Comm& comm, test::Failures& failures, std::mt19937_64& random) {
  Workspace workspace; // grows, and is reused
  for (const bool large : {false, false, false, true}) {
    all_ways<T, Right, Right>(comm, failures, random, workspace, any_cut(comm, random, large));
    all_ways<T, Right, Left>(comm, failures, random, workspace, any_cut(comm, random, large));
    all_ways<T, Left, Right>(comm, failures, random, workspace, any_cut(comm, random, large));
    all_ways<T, Left, Left>(comm, failures, random, workspace, any_cut(comm, random, large));
#ifdef KOKKOS_ENABLE_CUDA
    by_hand<T>(comm, failures, random, any_cut(comm, random, large));
#endif
  }
}

/// A read of b on exec ends before others write the next result to b.
void in_order(const Comm& comm, test::Failures& failures) {
  const std::size_t n = 1500, rounds = 5;
  const int copies = detail::has_peers<Exec> ? 100 : 1; // a millisecond on a GPU
  const Blocks rows(n, comm.size()), columns(n, comm.size());
  const int me = comm.rank();
  const Exec exec;
  for (const Named& named : ways()) {
    Workspace workspace;
    std::vector<test::Matrix<std::int32_t, Right>> from, read;
    const test::Matrix<std::int32_t, Right> b(columns.count(me), n, 0);
    for (std::size_t round = 0; round < rounds; ++round) {
      from.emplace_back(rows.count(me), n, 0);
      read.emplace_back(columns.count(me), n, 0);
      from.back().fill([&](std::size_t i, std::size_t j) {
        return test::element<std::int32_t>(rows.first(me) + i, j, round);
      });
    }
    for (std::size_t round = 0; round < rounds; ++round) {
      by(named, comm, from[round].all, rows, b.all, columns, workspace);
      for (int again = 0; again < copies; ++again) // the last one counts
        Kokkos::deep_copy(exec, read[round].all, b.all);
    }
    exec.fence();
    for (std::size_t round = 0; round < rounds; ++round) {
      const std::size_t wrong = read[round].count_wrong([&](std::size_t j, std::size_t i) {
        return test::element<std::int32_t>(i, columns.first(me) + j, round);
      });
      failures.expect(wrong == 0, std::string(named.name) + " in order: " + std::to_string(wrong) +
                                      " wrong elements");
    }
  }
}

/// A rank of a transpose that is simulated in one process.
struct Simulated {
  std::vector<std::int32_t> a, b;
  std::size_t ld;
  bool by_columns;
};

/// All that the plan sends arrives in its place, and fits the staging area that the ranks asked
/// for.
void plan(test::Failures& failures, std::mt19937_64& random) {
  for (int round = 0; round < 300; ++round) {
    const int size = 1 + static_cast<int>(random() % 5);
    const std::size_t r = test::any_extent(random, 900), c = test::any_extent(random, 900),
                      slabs = random() % 9, gap = random() % 4;
    const Blocks rows = test::any_blocks(random, r, size),
                 columns = test::any_blocks(random, c, size);
    std::vector<Simulated> ranks(size);
    std::vector<detail::Offer> offers(size);
    for (int rank = 0; rank < size; ++rank) {
      Simulated& one = ranks[rank];
      one.by_columns = random() % 2 == 0;
      one.ld = (one.by_columns ? columns.count(rank) : r) + gap;
      one.b.assign((one.by_columns ? r : columns.count(rank)) * one.ld, -1);
      for (std::size_t k = 0; k < rows.count(rank) * c; ++k)
        one.a.push_back(static_cast<std::int32_t>(rows.first(rank) * c + k));
      offers[rank].ld = one.ld;
      offers[rank].by_columns = one.by_columns ? 1 : 0;
    }
    for (int me = 0; me < size; ++me) {
      const auto pieces =
          detail::pieces_of(detail::targets_of(me, rows, columns, offers), 4, slabs);
      const auto staging = detail::Staging::of(pieces, 4);
      failures.expect(staging.buffers * staging.elements * 4 <=
                          detail::slab_workspace_bytes(me, rows, columns, 4, slabs),
                      "the staging area is too small");
      for (const detail::Piece& piece : pieces) {
        const detail::Target& target = piece.target;
        failures.expect(!piece.copied ||
                            piece.count * detail::staged_ld(target.columns, 4) <= staging.elements,
                        "a piece is larger than its buffer");
        for (std::size_t row = piece.first; row < piece.first + piece.count; ++row)
          for (std::size_t k = 0; k < target.columns; ++k) {
            const std::size_t i = target.by_columns ? row : k, j = target.by_columns ? k : row;
            ranks[target.rank].b.at(target.offset + row * target.ld + k) =
                ranks[me].a.at(i * c + target.first + j);
          }
      }
    }
    std::size_t wrong = 0;
    for (int rank = 0; rank < size; ++rank)
      for (std::size_t j = 0; j < columns.count(rank); ++j)
        for (std::size_t i = 0; i < r; ++i) {
          const Simulated& one = ranks[rank];
          const std::int32_t found = one.b[one.by_columns ? i * one.ld + j : j * one.ld + i];
          const bool own = i >= rows.first(rank) && i < rows.first(rank) + rows.count(rank);
          const auto wanted = static_cast<std::int32_t>(i * c + columns.first(rank) + j);
          wrong += found == (own ? -1 : wanted) ? 0 : 1;
        }
    failures.expect(wrong == 0, "by the plan " + std::to_string(wrong) + " wrong elements");
  }
}

/// Memory for a b of any size is whole pages with Kokkos' header, at most a page longer.
static_assert(sizeof(Kokkos::Impl::SharedAllocationHeader) == 128, "see bytes_for_peers");
void page_sizes(test::Failures& failures, std::mt19937_64& random) {
  for (int round = 0; round < 300; ++round) {
    const std::size_t bytes = random() >> (random() % 64), all = bytes_for_peers(bytes >> 1) + 128;
    failures.expect(all % 65536 == 0 && all >= (bytes >> 1) + 128 &&
                        all < (bytes >> 1) + 128 + 65536,
                    "bytes_for_peers(" + std::to_string(bytes >> 1) + ")");
  }
}

/// If one rank cannot share its b, all refuse a way that needs it, and the automatic way goes on.
template <class Space>
void out_of_reach(const Comm& comm, test::Failures& failures) {
  const Blocks rows(70, comm.size()), columns(90, comm.size());
  Workspace workspace;
  test::transposes<double, Right, Right, Space>(
      comm, failures, "out of reach", rows, columns, 0, 0, [&](const auto& a, const auto& b) {
        for (const Named& named : {Named{"slabs", Way::slabs, 0}, Named{"packed", Way::packed, 0},
                                   Named{"remote_stores", Way::remote_stores, 0}})
          failures.expect_refused([&] { by(named, comm, a, rows, b, columns, workspace); },
                                  {"memory", "rank"}); // see write_to_peers and PeerMemory::open
        by({"automatic", Way::automatic, 0}, comm, a, rows, b, columns, workspace);
      });
}

#ifdef KOKKOS_ENABLE_CUDA
/// A rank says of its b whether others write to it at the link's speed; a View's memory does not
/// allow that.
void whole_pages(const Comm& comm, test::Failures& failures) {
  const Exec exec;
  const detail::PeerMemory memory(exec.cuda_device());
  const auto are_whole = [&](std::size_t bytes) {
    const Kokkos::View<std::byte*, Exec> b("b", bytes);
    return detail::has_whole_pages(memory.offer(comm, exec.cuda_device(), b.data(), false));
  };
  const std::size_t large = std::size_t{100} << 20;
  failures.expect(are_whole(bytes_for_peers(large)), "bytes_for_peers gives no whole pages");
  failures.expect(!are_whole(large), "a View is said to be whole pages");
}

/// Memory is freed and allocated anew, mostly at the same place.
void reallocations(const Comm& comm, test::Failures& failures, std::mt19937_64& random) {
  Workspace workspace;
  for (int round = 0; round < 40; ++round) {
    const std::size_t n =
        round % 4 == 3 ? 100 : 1200 + random() % 2 * 300; // small ones share a block
    const Blocks rows(n, comm.size()), columns(n, comm.size());
    test::transposes<double, Right, Right>(
        comm, failures, "allocated anew", rows, columns, 0, 0, [&](const auto& a, const auto& b) {
          by({"slabs", Way::slabs, 0}, comm, a, rows, b, columns, workspace);
        });
  }
}

/// If a handle does not open on one rank, all ranks say so, now and later.
void broken_handle(const Comm& comm, test::Failures& failures) {
  if (comm.size() == 1) return; // opens none
  const Exec exec;
  detail::PeerMemory memory(exec.cuda_device());
  const Kokkos::View<double*, Exec> b("b", 1000000);
  auto offer = memory.offer(comm, exec.cuda_device(), b.data(), false);
  failures.expect(offer.state == detail::Offer::shared, "a View is not shared");
  std::vector<detail::Message> messages(comm.size());
  const auto all_tell = [&] {
    const detail::Message mine = offer.message();
    const int count = static_cast<int>(mine.size());
    MPI_Allgather(mine.data(), count, MPI_UINT64_T, messages.data(), count, MPI_UINT64_T,
                  comm.mpi());
    std::vector<detail::Offer> offers;
    for (const detail::Message& message : messages)
      offers.push_back(detail::Offer::of(message));
    return memory.open(comm, offers);
  };
  failures.expect(all_tell().empty(), "handles do not open");
  failures.expect(all_tell().empty(), "handles that are open do not open");
  if (comm.rank() == 0) {
    offer.handle.fill('?');
    ++offer.allocation;
  }
  failures.expect(!all_tell().empty(), "a broken handle opens");
  failures.expect(!all_tell().empty(), "after a broken handle others open");
}
#endif

void transports(const Comm& comm, test::Failures& failures) {
  std::mt19937_64 random(20261125);
  plan(failures, random);
  page_sizes(failures, random);
  shapes<std::int8_t>(comm, failures, random);
  shapes<std::int16_t>(comm, failures, random);
  shapes<float>(comm, failures, random);
  shapes<double>(comm, failures, random);
  shapes<Kokkos::complex<double>>(comm, failures, random);
  in_order(comm, failures);
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) {
    out_of_reach<Kokkos::CudaUVMSpace>(comm, failures);
    out_of_reach<Kokkos::CudaHostPinnedSpace>(comm, failures);
    reallocations(comm, failures, random);
    whole_pages(comm, failures);
    broken_handle(comm, failures);
  }
#else
  out_of_reach<Exec>(comm, failures);
#endif
}

} // namespace

int main(int argc, char** argv) { return test::main_of(argc, argv, transports); }
