// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variants that are wrong on purpose: a right one with a planted error. They are in no registry, so
// no list shows them and no option selects them.
#pragma once

#include <ado/bench/device/device.hpp>
#include <ado/registry/variant.hpp>

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace ado::bench {

/// A copy of an array's elements in host memory, whatever their type. The last extent is a row. A
/// vector is cut into rows as long as its square root; what is left over belongs to no row.
struct ResultElements {
  std::vector<std::byte> bytes;
  std::size_t rows, columns, size; ///< size: bytes of one element

  std::size_t count() const { return bytes.size() / size; }
  /// Throws std::out_of_range.
  std::byte* at(std::size_t element) {
    if (element >= count()) throw std::out_of_range("a planted error behind an array");
    return bytes.data() + element * size;
  }
  std::byte* at(std::size_t row, std::size_t column) {
    if (column >= columns) throw std::out_of_range("a planted error behind a row");
    return at(row * columns + column);
  }
};

/// Room for the elements of `array`, of `size` bytes each.
ResultElements elements_of(const Array& array, std::size_t size);

struct PlantedError;

/// One run of a right variant with an error planted in it. It changes arrays in any device's memory
/// by way of copies; the arrays must be packed.
class PlantedRun {
public:
  using Change = std::function<void(ResultElements&)>;

  /// `number` is 1 in the variant's first run. `kept` stays between runs.
  /// Of several outputs, `output` is spoiled.
  PlantedRun(Device& device, const Variant& right, const PlantedError& error, std::size_t output,
             const Call& call, int number, std::vector<std::byte>& kept);

  int number() const { return number_; }
  /// Runs the right variant.
  void compute() { right_.run(call_); }
  /// Runs it on changed elements of the largest input, then restores them.
  void compute_with_changed_input();
  /// Leaves the largest input changed.
  void change_input();
  void change_output(const Change& change);
  /// Gives the result of the first run in later ones too.
  void compute_once();
  /// The output's current elements.
  ResultElements output() { return elements(output_); }
  /// Overwrites one element beside the output with zeros; -1 is the place before its first.
  void clear_beside_output(std::ptrdiff_t place);

private:
  struct Part {
    const Array* array;
    std::size_t size; ///< of an element
  };
  void copy_in(void* array, const void* host, std::size_t bytes);
  ResultElements elements(const Part& part);
  void put_back(const Part& part, const ResultElements& elements);

  Device& device_;
  const Variant& right_;
  const PlantedError& error_;
  const Call& call_;
  int number_;
  std::vector<std::byte>& kept_;
  Part largest_, output_; ///< the largest input's array is null if there is no input
  bool host_arrays_;      ///< whether the arrays stay in host memory on any device
};

struct PlantedError {
  std::string_view name;
  std::string_view what; ///< for the table of --selftest
  void (*run)(PlantedRun&);
  /// What it does to the largest input; null: nothing.
  void (*change)(ResultElements&) = nullptr;
  bool with_nan = false;      ///< the middle element of the largest input is NaN
  bool harmless = false;      ///< no error: must not be reported as one
  bool on_witness = false;    ///< too small for the bound on made data: must show on witness data
  bool leaves_change = false; ///< the change stays, and results are right
  bool on_second_inputs = false; ///< right on the first inputs, wrong after they changed
  bool in_one_output = false;    ///< the others are right
};

/// All errors that --selftest plants.
const std::vector<PlantedError>& planted_errors();

/// `right` with an error in it. A variant's function has no state, so only one may live at a time.
class PlantedVariant {
public:
  PlantedVariant(Device& device, const Variant& right, const PlantedError& error,
                 std::size_t output = 0);
  PlantedVariant(const PlantedVariant&) = delete;
  PlantedVariant& operator=(const PlantedVariant&) = delete;
  ~PlantedVariant();

  const Variant& variant() const { return variant_; }

private:
  static void run(const Call& call);
  static PlantedVariant* living;

  Device& device_;
  const Variant& right_;
  const PlantedError& error_;
  std::size_t output_;
  Variant variant_;
  std::vector<std::byte> kept_;
  int runs_ = 0;
};

} // namespace ado::bench
