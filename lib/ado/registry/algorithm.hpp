// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an algorithm is: its arrays, its traffic, its oracle. One record per algorithm, defined in
// lib/ado/<algorithm>/problem.cpp and found through the registry.
#pragma once

#include <ado/registry/array.hpp>
#include <ado/registry/types.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ado::bench {

/// The sizes of a problem, in the order of Algorithm::sizes; unused ones are 1.
using Shape = Extents;

/// What a call reads from memory and writes to it.
struct MovedBytes {
  double read;    ///< bytes
  double written; ///< bytes
};

/// Compulsory work of one call: every input read once, every output written once, unless the record
/// says otherwise. A multiply-add counts as two floating-point operations.
struct Traffic {
  double bytes_read = 0;
  double bytes_written = 0;
  double flops = 0;
  double bytes() const { return bytes_read + bytes_written; }
};

/// Most arrays of a problem, outputs included.
inline constexpr std::size_t most_arrays = 6;

/// One array of a problem.
struct ArraySpec {
  std::string_view name;
  int rank;            ///< 0 (a scalar) to 3
  Extents extent;      ///< 1 from `rank` on
  bool output = false; ///< of the last one, or of the last few
  /// Of an array that has another type than the run: indices, keys, counts.
  std::optional<Type> own_type{};
  /// Fills an input that cannot be random numbers, row-major, from a seed. Null: `--data` says how
  /// it is made.
  void (*fill)(const Array&, const Shape&, std::uint64_t seed) = nullptr;
  /// If a rank has a part of it: the extents of the whole and where the part begins, so that made
  /// data and files are the same for any number of ranks.
  std::optional<Extents> whole{};
  Extents begin{0, 0, 0};

  Type type(Type of_the_run) const { return own_type.value_or(of_the_run); }
};

/// How many of a problem's arrays are inputs; outputs follow.
std::size_t input_count(const std::vector<ArraySpec>& specs);

/// Where the elements of a part lie in the whole, both row-major: in runs of `length` elements side
/// by side, which begin `apart` elements from each other, the first at `first`.
struct Runs {
  std::size_t first = 0, length = 1, apart = 1;

  bool are_one() const { return length == apart; }
  /// The place of element `i` of the part.
  std::size_t place(std::size_t i) const {
    return are_one() ? first + i : first + i / length * apart + i % length;
  }
};
/// At most one extent may be cut.
Runs runs_of(const ArraySpec& spec);

/// What a check found out about one output.
struct Check {
  bool ok = true;
  double max_error = 0;         ///< largest absolute error; NaN where a finite value was expected
  double worst_bound_share = 0; ///< largest error / bound; above 1 is wrong
  std::size_t wrong = 0;        ///< number of elements beyond their bound
  std::string first_wrong{};    ///< where the first wrong element is, and its value
  /// The first element within its bound but further off than roundings are likely to bring it, or
  /// whose bound says nothing because it is as large as the terms; empty: none.
  std::string unlikely{};
};

/// How far an output may be from the expected one.
struct Tolerance {
  /// Implicit: a number of roundings is a tolerance.
  Tolerance(double roundings_on_the_way) : roundings(roundings_on_the_way) {}
  /// On the longest path from an input to the output in the variant's order of summation (see
  /// Variant); 0 asks for the oracle's exact bits.
  double roundings;
  /// An absolute limit, however many roundings there are.
  double at_most = std::numeric_limits<double>::infinity();
  /// The inputs are random, so that no order of summation knows them: partial sums are likely
  /// small.
  bool random_data = false;
  /// One input has the opposite sign of what the oracle saw.
  bool negated = false;
};

/// Data that shows whatever is left out: whole numbers from 1 to `largest`, of either sign. Partial
/// sums stay small enough to be exact in any order that does not look at the data.
struct Witness {
  double largest = 0; ///< 0: all bits random, because nothing is summed
  /// The least change of an output if an element is left out or counted twice.
  double step = 0;
  /// The outputs are exact too, so that any order of summation gives the oracle's bits.
  bool exact = false;
  /// The outputs change sign with the largest input, so that runs on both signs can be judged.
  bool odd = false;
};

/// The expected output of one problem on one set of inputs. If there are several, oracle_of_each()
/// makes one of theirs.
class Oracle {
public:
  virtual ~Oracle() = default;
  /// Checks `output`, in host memory.
  virtual Check check(const Array& output, const Tolerance& tolerance) const = 0;
  /// The type of the outputs that it judges; absent: it does not say.
  virtual std::optional<Type> output_type() const { return std::nullopt; }
  /// Whether check() reads the inputs again, which must then outlive the oracle.
  virtual bool reads_inputs() const { return true; }
  /// Of how many outputs, in their order.
  virtual std::size_t outputs() const { return 1; }
  /// The oracle of output k alone.
  virtual const Oracle& of_output([[maybe_unused]] std::size_t k) const { return *this; }
  /// The oracle of the sum of several outputs, given the oracle of each in `parts`; null if outputs
  /// are no sums.
  virtual std::unique_ptr<Oracle>
  of_sum([[maybe_unused]] const std::vector<const Oracle*>& parts) const {
    return nullptr;
  }
};

/// A size on the command line: `--rows`; `short_name` may be 0.
struct SizeName {
  std::string_view name;
  char short_name = 0;
};

/// How a problem is cut into slices, each a smaller problem of the same algorithm, so that only one
/// at a time needs to be in a device's memory.
struct Slicing {
  static constexpr int whole = -1;
  int size; ///< index of the size that is cut
  /// For each array the extent that is that size, or `whole` if every slice needs all of it. For
  /// inputs it is the first one, so that a slice lies in one piece.
  std::array<int, most_arrays> cut;
  bool summed = false; ///< the slices' outputs are added; else they lie beside each other
  /// Index of a second size that may also be cut, so that slices are blocks; every array must be a
  /// matrix that has both sizes. `whole`: none.
  int across = whole;
};

/// One rank's share of the first size.
struct Part {
  std::size_t first, count;
};

/// A problem: what is computed, on which arrays, and what is right. `arrays`, `oracle` and members
/// without a default are required.
struct Algorithm {
  std::string_view name;       ///< of `--algorithm`
  std::string_view formula;    ///< what it computes, for people
  std::vector<SizeName> sizes; ///< up to three
  TypeSet types;               ///< that its elements may have
  Type default_type;           ///< without `--type`
  /// Whether it runs without `--algorithm`.
  bool usual = true;

  /// Inputs first, outputs last, none both; together they are the compulsory traffic.
  std::vector<ArraySpec> (*arrays)(const Shape&);
  /// The compulsory traffic if it is another: several sweeps over an array, half of a struct.
  MovedBytes (*bytes)(const Shape&, Type) = nullptr;
  /// Floating-point operations of a call; null: none.
  double (*flops)(const Shape&, Type) = nullptr;
  /// The shape whose largest array has about `elements` elements; null: all sizes are the same.
  Shape (*shape_of_size)(std::size_t elements) = nullptr;
  /// The shape of published figures, for --sizes classic. Zeros: none.
  Shape classic{};
  /// Shapes where kernels break: 0, 1, primes, one below and one above tile widths. For tests.
  std::vector<Shape> (*edge_shapes)() = nullptr;
  /// Builds the oracle from inputs in host memory. The inputs must outlive it.
  std::unique_ptr<Oracle> (*oracle)(Type, const Shape&, const std::vector<Array>& inputs);
  /// What is wrong with inputs read from files and would lead a kernel astray: an index beyond an
  /// array's end. Empty: nothing. Null: no kernel depends on the values that it reads.
  std::string (*check_inputs)(const Shape&, const std::vector<Array>& inputs) = nullptr;
  /// The data that shows what is left out; none if sums of this length are not exact in this type.
  /// Null: random data shows it, because no or few terms are summed.
  std::optional<Witness> (*witness)(const Shape&, Type) = nullptr;
  /// Whether the arrays stay in host memory on every backend. Then copies belong to a run, which
  /// returns when its output is there.
  bool host_arrays = false;
  /// The variant that all rungs by hand lead to, and Kokkos' too unless `tuned` names another.
  std::string_view best = "team";
  /// The Kokkos variant with kernels for each backend, if that is not `best`. Then `plain` is what
  /// Kokkos' guide teaches, `team` is one source for all backends, and a run's answer compares the
  /// three.
  std::string_view tuned{};
  /// Its variants from the first that one would write to the best, in every model and in the order
  /// shown. Exhibits follow, then those in neither list, usually libraries.
  std::vector<std::string_view> ladder{};
  /// Variants that show what something costs and lead nowhere: no step of the ladder, and no cure.
  std::vector<std::string_view> exhibits{};
  /// Absent: it cannot be cut.
  std::optional<Slicing> slicing{};

  // Only in a record for several ranks, where `arrays`, `flops` and `oracle` are those of this
  // rank's part.
  /// The record for one process. Null: this is that.
  const Algorithm* whole = nullptr;
  /// This rank's part, if that is a problem of its own, which variants of one process solve. Null,
  /// or none: variants know of the ranks, exchange data, and get the whole shape.
  std::optional<Part> (*part)(const Shape&) = nullptr;
  /// Bytes that this rank sends to others; null: hardly any.
  double (*bytes_sent)(const Shape&, Type) = nullptr;

  std::string_view best_portable() const { return tuned.empty() ? best : tuned; }
  /// The record whose arrays are those of all ranks together.
  const Algorithm& of_all() const { return whole == nullptr ? *this : *whole; }
  std::optional<Part> part_of(const Shape& shape) const {
    return part == nullptr ? std::nullopt : part(shape);
  }
  /// Whether ranks exchange data.
  bool exchanges(const Shape& shape) const { return whole != nullptr && !part_of(shape); }
};

/// Each input once, each output once.
MovedBytes bytes_of_arrays(const Algorithm& algorithm, const Shape& shape, Type type);
Traffic traffic_of(const Algorithm& algorithm, const Shape& shape, Type type);

} // namespace ado::bench
