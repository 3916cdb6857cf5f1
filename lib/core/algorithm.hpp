// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an algorithm is: its arrays, its traffic, its oracle. One record an algorithm, defined in
// lib/<algorithm>/problem.cpp and found through the registry.
#pragma once

#include <ado/core/array.hpp>
#include <ado/core/types.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ado {

/// The sizes of a problem, in the order of Algorithm::sizes; unused ones are 1.
using Shape = Extents;

/// Compulsory work of one call: every input read once, every output written once. A multiply-add
/// counts as two floating-point operations.
struct Traffic {
  double bytes_read = 0;
  double bytes_written = 0;
  double flops = 0;
  double bytes() const { return bytes_read + bytes_written; }
};

/// One array of a problem.
struct ArraySpec {
  std::string_view name;
  int rank;
  Extents extent;
  bool output = false;
};

/// What a check found out about one output.
struct Check {
  bool ok = true;
  double max_error = 0;         ///< largest absolute error; NaN where a finite value was expected
  double worst_bound_share = 0; ///< largest error / bound; > 1 is wrong
  std::size_t wrong = 0;        ///< number of elements beyond their bound
  std::string first_wrong;      ///< where and what the first wrong element is
};

/// The expected output of one problem on one set of inputs.
class Oracle {
public:
  virtual ~Oracle() = default;
  /// Checks `output` (in host memory). `rounding_steps` is the number of roundings on the longest
  /// path from an input to the output in the variant's order of summation (see Variant).
  virtual Check check(const Array& output, double rounding_steps) const = 0;
};

/// A size of the command line: `--rows`; `short_name` may be 0.
struct SizeName {
  std::string_view name;
  char short_name = 0;
};

struct Algorithm {
  std::string_view name;
  std::string_view formula;
  std::vector<SizeName> sizes;
  TypeSet types;
  Type default_type;

  /// Inputs first, then the output, which is last.
  std::vector<ArraySpec> (*arrays)(const Shape&);
  Traffic (*traffic)(const Shape&, Type);
  /// The shape whose largest array has about `elements` elements.
  Shape (*shape_of_size)(std::size_t elements);
  /// The classic shape that published figures use; taken where it fits the machine.
  Shape classic;
  /// Shapes where kernels break: 0, 1, primes, one less and one more than tile widths.
  std::vector<Shape> (*edge_shapes)();
  /// Builds the oracle from inputs in host memory. The inputs must outlive it.
  std::unique_ptr<Oracle> (*oracle)(Type, const Shape&, const std::vector<Array>& inputs);
  /// Whether ones_twos data of this shape makes every partial sum representable, so that every
  /// order of summation must give the same bits.
  bool (*ones_twos_exact)(const Shape&, Type);
  /// Whether the arrays stay in host memory on every backend, so that copies belong to a run, which
  /// returns when its output is there.
  bool host_arrays = false;
  /// The variant that all rungs lead to, in every model.
  std::string_view best = "team";
};

} // namespace ado
