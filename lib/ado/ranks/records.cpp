// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/distributed/blocks.hpp>
#include <ado/ranks/mpi.hpp>
#include <ado/ranks/oracles.hpp>
#include <ado/ranks/records.hpp>
#include <ado/ranks/rows.hpp>
#include <ado/registry/registry.hpp>
#include <ado/registry/sum_oracle.hpp>

#include <Kokkos_Macros.hpp>

namespace ado::bench {
namespace {

/// The one-process record on which a record for ranks is based.
const Algorithm& record_of_one(std::string_view name) {
  static const std::vector<Algorithm> records = algorithms();
  for (const Algorithm& algorithm : records)
    if (algorithm.name == name) return algorithm;
  throw Error("no algorithm " + std::string(name));
}

distributed::Blocks blocks_of(std::size_t total) {
  return distributed::Blocks(total, comm_of_ranks().size());
}

/// Makes one extent of an array begin at `first` and have `count` elements.
void cut(ArraySpec& spec, std::size_t dimension, std::size_t first, std::size_t count) {
  spec.whole = spec.extent;
  spec.begin[dimension] = first;
  spec.extent[dimension] = count;
}

/// A rank's arrays, if the size along which `whole` is cut is split into these blocks.
std::vector<ArraySpec> part_of_arrays(const Algorithm& whole, const Shape& shape,
                                      const distributed::Blocks& blocks) {
  const int rank = comm_of_ranks().rank();
  std::vector<ArraySpec> specs = whole.arrays(shape);
  for (std::size_t k = 0; k < specs.size(); ++k)
    if (const int along = whole.slicing->cut[k]; along != Slicing::whole)
      cut(specs[k], static_cast<std::size_t>(along), blocks.first(rank), blocks.count(rank));
  return specs;
}

// average, average_mv, vector_add: the first size is split, and nothing is sent.

std::optional<Part> part_of(const Shape& s) {
  const distributed::Blocks blocks = blocks_of(s[0]);
  const int rank = comm_of_ranks().rank();
  return Part{blocks.first(rank), blocks.count(rank)};
}
Shape shape_of_part(const Shape& s) { return {part_of(s)->count, s[1], s[2]}; }

/// A record's functions know only their arguments, so each algorithm has its own.
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
      return record_of_one(name).flops(shape_of_part(s), type);
    };
  record.oracle = [](Type type, const Shape& s, const std::vector<Array>& inputs) {
    return record_of_one(name).oracle(type, shape_of_part(s), inputs);
  };
  return record;
}

constexpr char average_name[] = "average", average_mv_name[] = "average_mv",
               vector_add_name[] = "vector_add";

// average_mv with fewer sets than ranks: rows of a and y, and the same rows of v in each set.

bool has_few_sets(const Shape& s) {
  return s[0] < static_cast<std::size_t>(comm_of_ranks().size());
}

Algorithm average_mv_of_ranks() {
  Algorithm record = dealt_out<average_mv_name>();
  static const Algorithm by_sets = record;
  record.part = [](const Shape& s) { return has_few_sets(s) ? std::nullopt : part_of(s); };
  record.arrays = [](const Shape& s) {
    if (!has_few_sets(s)) return by_sets.arrays(s);
    const distributed::Blocks rows = blocks_of(s[1]);
    const int rank = comm_of_ranks().rank();
    std::vector<ArraySpec> specs = record_of_one("average_mv").arrays(s);
    cut(specs[0], 1, rows.first(rank), rows.count(rank));
    for (const std::size_t k : {1, 2})
      cut(specs[k], 0, rows.first(rank), rows.count(rank));
    return specs;
  };
  record.flops = [](const Shape& s, Type type) {
    if (!has_few_sets(s)) return by_sets.flops(s, type);
    const double share = double(blocks_of(s[1]).count(comm_of_ranks().rank())) / double(s[1]);
    return share * record_of_one("average_mv").flops(s, type);
  };
  record.oracle = [](Type type, const Shape& s, const std::vector<Array>& inputs) {
    return has_few_sets(s) ? oracle_of_rows(type, inputs) : by_sets.oracle(type, s, inputs);
  };
  record.ladder.emplace_back("rows");
  return record;
}

// transpose: rows of a and b.

std::vector<ArraySpec> transpose_arrays(const Shape& s) {
  const int rank = comm_of_ranks().rank();
  const distributed::Blocks rows = blocks_of(s[0]), columns = blocks_of(s[1]);
  std::vector<ArraySpec> specs = record_of_one("transpose").arrays(s);
  cut(specs[0], 0, rows.first(rank), rows.count(rank));
  cut(specs[1], 0, columns.first(rank), columns.count(rank));
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
  record.tuned = {};
  record.ladder = {"datatypes", "staged", "packed", "pieces", "remote_stores", "slabs"};
#ifdef KOKKOS_ENABLE_CUDA
  record.best = "slabs";
#else
  record.best = "pieces";
#endif
  return record;
}

// yax: rows of y and a, cut at the tiles of kokkos/tuned; every rank has x and the result.

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
  record.tuned = {};
  record.ladder = {"allreduce", "team"};
  record.exhibits = {};
  record.best = "team";
  return record;
}

} // namespace

std::vector<Algorithm> records_of_ranks() {
  return {dealt_out<average_name>(), average_mv_of_ranks(), transpose_of_ranks(),
          dealt_out<vector_add_name>(), yax_of_ranks()};
}

} // namespace ado::bench
