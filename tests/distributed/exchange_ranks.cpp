// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of any size between all pairs of ranks, in messages much shorter than the blocks.
#include "ranks.hpp"
#include <ado/distributed/exchange.hpp>

#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace ado::distributed;

std::byte value(int from, int to, std::size_t at) {
  return static_cast<std::byte>(31 * from + 7 * to + 3 * at);
}

void exchanges(const Comm& comm, test::Failures& failures) {
  std::mt19937_64 random(5);
  const int size = comm.size(), me = comm.rank();
  for (int round = 0; round < 20; ++round) {
    std::vector<std::vector<std::size_t>> bytes(
        size, std::vector<std::size_t>(size)); // for all pairs, on all ranks
    for (auto& row : bytes)
      for (std::size_t& count : row)
        count = test::any_extent(random, 1000);
    std::vector<std::vector<std::byte>> sent(size), received(size);
    std::vector<detail::Part> to(size), from(size);
    for (int rank = 0; rank < size; ++rank) {
      for (std::size_t at = 0; at < bytes[me][rank]; ++at)
        sent[rank].push_back(value(me, rank, at));
      received[rank].resize(bytes[rank][me]);
      to[rank] = {sent[rank].data(), sent[rank].size()};
      from[rank] = {received[rank].data(), received[rank].size()};
    }
    std::vector<int> arrivals(size);
    int meanwhile = 0;
    detail::exchange(
        comm, to, from, [&] { ++meanwhile; },
        [&](int rank) {
          ++arrivals[rank];
          std::size_t wrong = 0;
          for (std::size_t at = 0; at < received[rank].size(); ++at)
            wrong += received[rank][at] == value(rank, me, at) ? 0 : 1;
          failures.expect(wrong == 0,
                          std::to_string(wrong) + " wrong bytes of rank " + std::to_string(rank));
        },
        1 + random() % 300);
    failures.expect(meanwhile == 1, "meanwhile was called " + std::to_string(meanwhile) + " times");
    for (int rank = 0; rank < size; ++rank)
      failures.expect(arrivals[rank] == (rank != me && bytes[rank][me] != 0 ? 1 : 0),
                      "rank " + std::to_string(rank) + " arrived " +
                          std::to_string(arrivals[rank]) + " times");
  }
}

} // namespace

int main(int argc, char** argv) { return test::main_of(argc, argv, exchanges); }
