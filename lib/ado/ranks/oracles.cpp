// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/average_mv/reference.hpp>
#include <ado/distributed/blocks.hpp>
#include <ado/ranks/mpi.hpp>
#include <ado/ranks/oracles.hpp>
#include <ado/registry/sum_oracle.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

namespace ado::bench {
namespace {

using distributed::Blocks;
using distributed::detail::check_mpi;
using Bytes = std::vector<std::byte>;

/// An oracle that owns its inputs.
class OracleWithInputs : public Oracle {
public:
  OracleWithInputs(const Algorithm& transpose, Type type, const Shape& s, Bytes columns)
      : columns_(std::move(columns)) {
    const Array array{columns_.data(), {s[0], s[1], 1}, {s[1], 1, 1}};
    oracle_ = transpose.oracle(type, s, {array});
  }
  Check check(const Array& output, const Tolerance& tolerance) const override {
    return oracle_->check(output, tolerance);
  }

private:
  Bytes columns_;
  std::unique_ptr<Oracle> oracle_;
};

/// Copies `width` bytes from each of `rows` rows, which lie `from_pitch` and `to_pitch` bytes
/// apart.
void copy_rows(std::size_t rows, std::size_t width, const std::byte* from, std::size_t from_pitch,
               std::byte* to, std::size_t to_pitch) {
  for (std::size_t i = 0; i < rows && width != 0; ++i)
    std::memcpy(to + i * to_pitch, from + i * from_pitch, width);
}

/// Sends one block and receives one; an empty block needs no message.
void swap_blocks(const Bytes& sent, int to, Bytes& received, int from) {
  constexpr std::size_t most = std::size_t{1} << 30;
  std::vector<MPI_Request> requests;
  const auto pieces = [&](std::size_t bytes, const auto& begin) {
    for (std::size_t at = 0; at < bytes; at += most) {
      requests.emplace_back();
      check_mpi(begin(at, static_cast<int>(std::min(most, bytes - at)), &requests.back()),
                "a message of an oracle");
    }
  };
  const MPI_Comm comm = comm_of_ranks().mpi();
  pieces(received.size(), [&](std::size_t at, int bytes, MPI_Request* request) {
    return MPI_Irecv(received.data() + at, bytes, MPI_BYTE, from, 1, comm, request);
  });
  pieces(sent.size(), [&](std::size_t at, int bytes, MPI_Request* request) {
    return MPI_Isend(sent.data() + at, bytes, MPI_BYTE, to, 1, comm, request);
  });
  check_mpi(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
            "MPI_Waitall");
}

} // namespace

std::unique_ptr<Oracle> oracle_of_columns(const Algorithm& transpose, Type type, const Shape& s,
                                          const Array& a) {
  const distributed::Comm& comm = comm_of_ranks();
  const int size = comm.size(), me = comm.rank();
  const Blocks rows(s[0], size), columns(s[1], size);
  const std::size_t element = size_of(type), width = columns.count(me) * element;
  Bytes mine(s[0] * width);
  for (int step = 0; step < size; ++step) {
    const int to = (me + step) % size, from = (me + size - step) % size;
    const std::size_t sent_width = columns.count(to) * element;
    Bytes sent(rows.count(me) * sent_width), received(rows.count(from) * width);
    copy_rows(rows.count(me), sent_width, a.as<const std::byte>() + columns.first(to) * element,
              a.stride[0] * element, sent.data(), sent_width);
    swap_blocks(sent, to, received, from);
    copy_rows(rows.count(from), width, received.data(), width,
              mine.data() + rows.first(from) * width, width);
  }
  return std::make_unique<OracleWithInputs>(transpose, type, Shape{s[0], columns.count(me), 1},
                                            std::move(mine));
}

namespace {

/// Gathers what each rank has of `count` sets, ordered by set, then by rank; blocks may differ in
/// size.
template <class Sum>
std::vector<Sum> gather_sets(const std::vector<Sum>& mine, std::size_t count) {
  static_assert(std::is_trivially_copyable_v<Sum>);
  const distributed::Comm& comm = comm_of_ranks();
  const auto bytes = static_cast<int>(mine.size() * sizeof(Sum));
  std::vector<int> sizes(static_cast<std::size_t>(comm.size())), places;
  check_mpi(MPI_Allgather(&bytes, 1, MPI_INT, sizes.data(), 1, MPI_INT, comm.mpi()),
            "MPI_Allgather");
  std::size_t total = 0;
  for (const int size : sizes) {
    places.push_back(static_cast<int>(total));
    total += static_cast<std::size_t>(size);
  }
  std::vector<Sum> by_rank(total / sizeof(Sum)), by_set;
  check_mpi(MPI_Allgatherv(mine.data(), bytes, MPI_BYTE, by_rank.data(), sizes.data(),
                           places.data(), MPI_BYTE, comm.mpi()),
            "MPI_Allgatherv");
  for (std::size_t n = 0; n < count; ++n)
    for (std::size_t rank = 0; rank < sizes.size(); ++rank) {
      const std::size_t length = static_cast<std::size_t>(sizes[rank]) / sizeof(Sum) / count;
      const auto from =
          by_rank.begin() + static_cast<std::ptrdiff_t>(
                                static_cast<std::size_t>(places[rank]) / sizeof(Sum) + n * length);
      by_set.insert(by_set.end(), from, from + static_cast<std::ptrdiff_t>(length));
    }
  return by_set;
}

template <class T>
std::vector<Expected> expected_rows(const Array& v, const Array& a) {
  const std::size_t sets = v.extent[0], rows = v.extent[1], count = v.extent[2];
  std::vector<OracleSum<T>> mine(sets * rows);
#pragma omp parallel for
  for (std::size_t k = 0; k < mine.size(); ++k)
    mine[k] = reference_row_sum<T>(v, k / rows, k % rows);
  const std::vector<OracleSum<T>> sums = gather_sets(mine, sets);
  std::vector<Expected> expected(rows * sets);
  for (std::size_t n = 0; n < sets; ++n)
    expect_products(a, sums.data() + n * a.extent[1], double(count), expected.data() + n, sets);
  return expected;
}

} // namespace

std::unique_ptr<Oracle> oracle_of_rows(Type type, const std::vector<Array>& inputs) {
  auto expected = with_real_type(
      type, [&](auto zero) { return expected_rows<decltype(zero)>(inputs[0], inputs[1]); });
  return std::make_unique<SumOracle>(type, std::move(expected),
                                     double(inputs[0].extent[2] + inputs[1].extent[1]));
}

std::unique_ptr<Oracle> oracle_of_ranks(const Oracle& mine, Type type, double terms) {
  const distributed::Comm& comm = comm_of_ranks();
  const Expected expected = static_cast<const SumOracle&>(mine).expected().at(0);
  constexpr int numbers = sizeof(Expected) / sizeof(double);
  static_assert(sizeof(Expected) == numbers * sizeof(double));
  std::vector<Expected> all(static_cast<std::size_t>(comm.size()));
  check_mpi(
      MPI_Allgather(&expected, numbers, MPI_DOUBLE, all.data(), numbers, MPI_DOUBLE, comm.mpi()),
      "MPI_Allgather");
  std::vector<SumOracle> oracles;
  for (const Expected& of : all)
    oracles.emplace_back(type, std::vector{of}, terms / comm.size());
  std::vector<const Oracle*> parts;
  for (const SumOracle& oracle : oracles)
    parts.push_back(&oracle);
  return oracles.front().of_sum(parts);
}

} // namespace ado::bench
