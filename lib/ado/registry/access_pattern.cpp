// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/core/checks.hpp>
#include <ado/registry/access_pattern.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>

namespace ado::bench {
namespace {

using Addresses = std::vector<std::size_t>; ///< of the lanes that are not idle

std::size_t count_distinct(Addresses& numbers) {
  std::sort(numbers.begin(), numbers.end());
  return static_cast<std::size_t>(std::unique(numbers.begin(), numbers.end()) - numbers.begin());
}

/// Pieces that `asked` leaves out of blocks of which it has others; not those before the first and
/// after the last, which other requests may want.
double holes_between(const std::map<std::size_t, std::size_t>& asked, std::size_t piece_bytes) {
  const std::size_t of_block = std::max<std::size_t>(memory_block_bytes / piece_bytes, 1);
  std::size_t holes = 0;
  for (auto piece = asked.begin(), next = std::next(piece); next != asked.end(); piece = next++) {
    const std::size_t here = piece->first, there = next->first;
    const std::size_t end = round_up(here + 1, of_block), begin = there / of_block * of_block;
    holes += std::min(there, end) - here - 1;
    if (there >= end) holes += there - begin;
  }
  return static_cast<double>(holes);
}

RequestCost global_cost(const Addresses& addresses, std::size_t bytes, std::size_t piece_bytes) {
  const std::set<std::size_t> distinct(addresses.begin(), addresses.end());
  std::map<std::size_t, std::size_t> asked; // bytes asked for in each piece that the lanes touch
  for (const std::size_t address : distinct)
    for (std::size_t at = address; at < address + bytes;) {
      const std::size_t piece = at / piece_bytes;
      const std::size_t end = std::min(address + bytes, (piece + 1) * piece_bytes);
      asked[piece] += end - at;
      at = end;
    }
  const auto partial = std::count_if(asked.begin(), asked.end(),
                                     [&](const auto& of) { return of.second < piece_bytes; });
  return {1, static_cast<double>(asked.size()),
          static_cast<double>(ceil_div(distinct.size() * bytes, piece_bytes)),
          static_cast<double>(partial), holes_between(asked, piece_bytes)};
}

/// Lanes that ask for different words of one bank are served one after the other.
std::size_t passes(const Addresses& addresses, std::size_t bytes) {
  std::array<Addresses, bank_count> words;
  for (const std::size_t address : addresses)
    for (std::size_t word = address / bank_bytes; word <= (address + bytes - 1) / bank_bytes;
         ++word)
      words[word % bank_count].push_back(word);
  std::size_t most = 0;
  for (Addresses& of_bank : words)
    most = std::max(most, count_distinct(of_bank));
  return most;
}

/// A pass moves 128 bytes at most, so larger requests are served in parts: each half of a warp for
/// 8-byte accesses, each quarter for 16-byte ones. `lanes` may be idle here.
RequestCost shared_cost(const Addresses& lanes, std::size_t bytes) {
  const std::size_t together = std::min(warp_lanes, bank_count * bank_bytes / bytes);
  RequestCost cost{1, 0, 0};
  for (std::size_t first = 0; first < warp_lanes; first += together) {
    Addresses part;
    for (std::size_t lane = first; lane < first + together; ++lane)
      if (lanes[lane] != idle) part.push_back(lanes[lane]);
    cost.cost += static_cast<double>(passes(part, bytes));
    cost.least += part.empty() ? 0 : 1;
  }
  return cost;
}

/// The cost of one request; nothing if all lanes are idle.
RequestCost request_cost(const Access& access, std::size_t warp, std::size_t step,
                         std::size_t piece_bytes) {
  Addresses lanes, busy;
  for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
    lanes.push_back(access.address(warp, lane, step));
    if (lanes.back() != idle) busy.push_back(lanes.back());
  }
  if (busy.empty()) return {};
  return access.space == Space::global ? global_cost(busy, access.bytes, piece_bytes)
                                       : shared_cost(lanes, access.bytes);
}

} // namespace

RequestCost& RequestCost::operator+=(const RequestCost& other) {
  requests += other.requests;
  cost += other.cost;
  least += other.least;
  partial += other.partial;
  holes += other.holes;
  return *this;
}

RequestCost cost_of(const Access& access, std::size_t most, std::size_t piece_bytes) {
  const std::size_t all = access.warps * access.steps;
  const std::size_t looked_at = std::min(all, most);
  const std::size_t apart = all <= most ? 1 : all / most | 1;
  RequestCost total;
  for (std::size_t k = 0; k < looked_at; ++k) {
    const std::size_t request = k * apart % all;
    total += request_cost(access, request / access.steps, request % access.steps, piece_bytes);
  }
  const double scale =
      looked_at == 0 ? 0 : static_cast<double>(all) / static_cast<double>(looked_at);
  return {total.requests * scale, total.cost * scale, total.least * scale, total.partial * scale,
          total.holes * scale};
}

RequestCost cost_of(const std::vector<Access>& accesses, Space space, Direction direction,
                    std::size_t piece_bytes) {
  RequestCost total;
  for (const Access& access : accesses)
    if (access.space == space && access.direction == direction)
      total += cost_of(access, sampled_requests, piece_bytes);
  return total;
}

RequestCost cost_of(const std::vector<Access>& accesses, Space space) {
  RequestCost total = cost_of(accesses, space, Direction::load);
  return total += cost_of(accesses, space, Direction::store);
}

MemoryTraffic memory_traffic(const std::vector<Access>& accesses, MemoryPieces pieces) {
  const RequestCost loads = cost_of(accesses, Space::global, Direction::load, pieces.loaded),
                    stores = cost_of(accesses, Space::global, Direction::store, pieces.stored);
  const auto loaded = static_cast<double>(pieces.loaded),
             stored = static_cast<double>(pieces.stored);
  return {loads.cost * loaded + stores.partial * stored, stores.cost * stored, loads.holes * loaded,
          stores.holes * stored};
}

Access rows_by_lanes(std::string what, std::size_t rows, std::size_t columns, std::size_t bytes,
                     std::size_t lanes, std::size_t width) {
  const std::size_t rows_a_warp = warp_lanes / lanes;
  return {std::move(what),
          Space::global,
          Direction::load,
          bytes * width,
          ceil_div(rows, rows_a_warp),
          ceil_div(columns, lanes * width),
          [=](std::size_t warp, std::size_t lane, std::size_t step) {
            const std::size_t row = warp * rows_a_warp + lane / lanes;
            const std::size_t column = (step * lanes + lane % lanes) * width;
            return row < rows && column < columns ? (row * columns + column) * bytes : idle;
          }};
}

Access broadcast(std::string what, std::size_t warps, std::size_t count, std::size_t bytes) {
  return {std::move(what),
          Space::global,
          Direction::load,
          bytes,
          warps,
          count,
          [=](std::size_t, std::size_t, std::size_t step) { return step * bytes; }};
}

} // namespace ado::bench
