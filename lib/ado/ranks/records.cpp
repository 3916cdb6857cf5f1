// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/core/registry.hpp>
#include <ado/core/sum_oracle.hpp>
#include <ado/distributed/blocks.hpp>
#include <ado/ranks/mpi.hpp>
#include <ado/ranks/oracles.hpp>
#include <ado/ranks/records.hpp>
#include <ado/ranks/rows.hpp>

#include <Kokkos_Macros.hpp>

namespace ado {
namespace {

/// The records of one process, which those of ranks begin with.
const Algorithm& record_of_one(std::string_view name) {
  static const std::vector<Algorithm> records = algorithms();
  for (const Algorithm& algorithm : records)
    if (algorithm.name == name) return algorithm;
  throw Error("no algorithm " + std::string(name));
}

distributed::Blocks blocks_of(std::size_t total) {
  return distributed::Blocks(total, comm_of_ranks().size());
}

/// The extents that follow from the part of a size; where they begin, made data goes on.
std::vector<ArraySpec> part_of_arrays(const Algorithm& whole, const Shape& shape,
                                      const distributed::Blocks& blocks) {
  const int rank = comm_of_ranks().rank();
  std::vector<ArraySpec> specs = whole.arrays(shape);
  for (std::size_t k = 0; k < specs.size(); ++k) {
    const int cut = whole.slicing->cut[k];
    if (cut == Slicing::whole) continue;
    ArraySpec& spec = specs[k];
    auto& extent = spec.extent[static_cast<std::size_t>(cut)];
    extent = blocks.count(rank);
    if (cut != 0) continue; // an output, which nobody fills
    spec.first = blocks.first(rank);
    for (std::size_t d = 1; d < spec.extent.size(); ++d)
      spec.first *= spec.extent[d];
  }
  return specs;
}

// average, average_mv, vector_add: the first size is dealt out, and nothing is sent.

Shape part_of(const Shape& s) {
  Shape part = s;
  part[0] = blocks_of(s[0]).count(comm_of_ranks().rank());
  return part;
}

/// Functions of a record know no more than their arguments, so each algorithm has its own.
template <const char* name>
Algorithm dealt_out() {
  const Algorithm& one = record_of_one(name);
  Algorithm record = one;
  record.whole = &one;
  record.part = part_of;
  record.slicing.reset();
  record.arrays = [](const Shape& s) {
    return part_of_arrays(record_of_one(name), s, blocks_of(s[0]));
  };
  if (one.flops != nullptr)
    record.flops = [](const Shape& s, Type type) {
      return record_of_one(name).flops(part_of(s), type);
    };
  record.oracle = [](Type type, const Shape& s, const std::vector<Array>& inputs) {
    return record_of_one(name).oracle(type, part_of(s), inputs);
  };
  return record;
}

constexpr char average_name[] = "average", average_mv_name[] = "average_mv",
               vector_add_name[] = "vector_add";

// transpose: rows of a and of b.

std::vector<ArraySpec> transpose_arrays(const Shape& s) {
  const int rank = comm_of_ranks().rank();
  const distributed::Blocks rows = blocks_of(s[0]), columns = blocks_of(s[1]);
  std::vector<ArraySpec> specs = record_of_one("transpose").arrays(s);
  specs[0].extent[0] = rows.count(rank);
  specs[0].first = rows.first(rank) * s[1];
  specs[1].extent[0] = columns.count(rank);
  return specs;
}

double transpose_bytes_sent(const Shape& s, Type type) {
  const int rank = comm_of_ranks().rank();
  const distributed::Blocks rows = blocks_of(s[0]), columns = blocks_of(s[1]);
  return double(rows.count(rank)) * double(s[1] - columns.count(rank)) * double(size_of(type));
}

Algorithm transpose_of_ranks() {
  const Algorithm& one = record_of_one("transpose");
  Algorithm record = one;
  record.whole = &one;
  record.slicing.reset();
  record.arrays = transpose_arrays;
  record.bytes_sent = transpose_bytes_sent;
  record.oracle = [](Type type, const Shape& s, const std::vector<Array>& inputs) {
    return oracle_of_columns(record_of_one("transpose"), type, s, inputs[0]);
  };
  record.ladder = {"datatypes", "staged", "packed", "pieces", "remote_stores", "slabs"};
#ifdef KOKKOS_ENABLE_CUDA
  record.best = "slabs";
#else
  record.best = "pieces";
#endif
  return record;
}

// yax: rows of y and a, cut where the tiles of kokkos/team begin; every rank has x and the result.

Algorithm yax_of_ranks() {
  const Algorithm& one = record_of_one("yax");
  Algorithm record = one;
  record.whole = &one;
  record.slicing.reset();
  record.arrays = [](const Shape& s) {
    return part_of_arrays(record_of_one("yax"), s, yax_rows(s));
  };
  record.flops = [](const Shape& s, Type type) {
    return record_of_one("yax").flops({yax_rows(s).count(comm_of_ranks().rank()), s[1], 1}, type);
  };
  record.oracle = [](Type type, const Shape& s, const std::vector<Array>& inputs) {
    const Shape part{inputs[1].extent[0], s[1], 1};
    return oracle_of_ranks(*record_of_one("yax").oracle(type, part, inputs), type,
                           double(s[0]) * double(s[1]));
  };
  record.ladder = {"allreduce", "team"};
  record.exhibits = {};
  record.best = "team";
  return record;
}

} // namespace

std::vector<Algorithm> records_of_ranks() {
  return {dealt_out<average_name>(), dealt_out<average_mv_name>(), transpose_of_ranks(),
          dealt_out<vector_add_name>(), yax_of_ranks()};
}

} // namespace ado
