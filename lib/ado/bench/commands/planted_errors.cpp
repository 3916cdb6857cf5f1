// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/commands/planted_errors.hpp>
#include <ado/bench/data/data.hpp>
#include <ado/bench/guard/kernel_guard.hpp>
#include <ado/core/error.hpp>
#include <ado/registry/registry.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>

namespace ado::bench {
namespace {

std::size_t count_of(const Array& array) {
  return array.extent[0] * array.extent[1] * array.extent[2];
}

/// Treats a vector as a square matrix plus a rest, so that errors find rows in it.
std::size_t row_of_vector(std::size_t length) {
  const auto side = static_cast<std::size_t>(std::sqrt(static_cast<double>(length)));
  return std::max<std::size_t>(side, 1);
}

void clear(ResultElements& e, std::size_t row, std::size_t column) {
  std::memset(e.at(row, column), 0, e.size);
}

/// Flips a bit that no rounding changes: in a floating-point number it belongs to the exponent.
void flip_bit(ResultElements& e) { e.at(0)[e.size - 1] ^= std::byte{0x40}; }

void leave_out_tile_edge(ResultElements& e) {
  for (std::size_t row = 0; row < e.rows; ++row)
    clear(e, row, std::min<std::size_t>(31, e.columns - 1));
}
void leave_out_last_block(ResultElements& e) {
  constexpr std::size_t block = 32;
  for (std::size_t row = 0; row < e.rows; ++row)
    for (std::size_t column = e.columns / block * block; column < e.columns; ++column)
      clear(e, row, column);
}
void begin_a_row_late(ResultElements& e) {
  std::rotate(e.bytes.begin(), e.bytes.begin() + static_cast<std::ptrdiff_t>(e.columns * e.size),
              e.bytes.end());
}
/// Transposes square blocks of rows; a vector's last few rows may be left over.
void swap_indices(ResultElements& e) {
  for (std::size_t top = 0; top + e.columns <= e.rows; top += e.columns)
    for (std::size_t i = 0; i < e.columns; ++i)
      for (std::size_t j = 0; j < i; ++j)
        std::swap_ranges(e.at(top + i, j), e.at(top + i, j) + e.size, e.at(top + j, i));
}
/// At the place where with_nan puts it.
void leave_out_nan(ResultElements& e) { std::memset(e.at(e.count() / 2), 0, e.size); }

void leave_out_one(ResultElements& e) { clear(e, e.rows - 1, e.columns / 2); }

void read_changed(PlantedRun& run) { run.compute_with_changed_input(); }

void omit_last_element(PlantedRun& run) {
  ResultElements before = run.output();
  run.compute();
  run.change_output([&](ResultElements& e) {
    std::memcpy(e.at(e.rows - 1, e.columns - 1), before.at(e.rows - 1, e.columns - 1), e.size);
  });
}

} // namespace

const std::vector<PlantedError>& planted_errors() {
  static const std::vector<PlantedError> errors{
      {.name = "none",
       .what = "(no error)",
       .run = [](PlantedRun& run) { run.compute(); },
       .harmless = true},
      {.name = "tile_edge",
       .what = "the last column of a tile is not read",
       .run = read_changed,
       .change = leave_out_tile_edge},
      {.name = "last_block",
       .what = "the columns behind the last whole block are not read",
       .run = read_changed,
       .change = leave_out_last_block},
      {.name = "next_row",
       .what = "each row is taken for the one before",
       .run = read_changed,
       .change = begin_a_row_late},
      {.name = "swapped",
       .what = "two indices change places; of yax so do x and y",
       .run = read_changed,
       .change = swap_indices},
      {.name = "nan_lost",
       .what = "a NaN is left out of the sum",
       .run = read_changed,
       .change = leave_out_nan,
       .with_nan = true},
      {.name = "one_element",
       .what = "one element is not read",
       .run = read_changed,
       .change = leave_out_one,
       .on_witness = true},
      {.name = "idle", .what = "nothing is written", .run = [](PlantedRun&) {}},
      {.name = "unwritten",
       .what = "one element is not written",
       .run = omit_last_element,
       .in_one_output = true},
      {.name = "stale",
       .what = "nothing is written after the first run",
       .run =
           [](PlantedRun& run) {
             if (run.number() == 1) run.compute();
           }},
      {.name = "kept",
       .what = "the result of earlier inputs is kept",
       .run = [](PlantedRun& run) { run.compute_once(); },
       .on_second_inputs = true,
       .in_one_output = true},
      {.name = "wrong_later",
       .what = "wrong from the second run on",
       .run =
           [](PlantedRun& run) {
             run.compute();
             if (run.number() > 1) run.change_output(flip_bit);
           },
       .in_one_output = true},
      {.name = "racing",
       .what = "wrong in one run only, as a race may be",
       .run =
           [](PlantedRun& run) {
             run.compute();
             if (run.number() == 4) run.change_output(flip_bit); // a later timed one
           },
       .in_one_output = true},
      {.name = "before",
       .what = "memory before the output is overwritten",
       .run =
           [](PlantedRun& run) {
             run.compute();
             run.clear_beside_output(-1);
           },
       .in_one_output = true},
      {.name = "behind",
       .what = "memory behind the output is overwritten",
       .run =
           [](PlantedRun& run) {
             run.compute();
             ResultElements e = run.output();
             run.clear_beside_output(static_cast<std::ptrdiff_t>(e.count()));
           },
       .in_one_output = true},
      {.name = "changes_input",
       .what = "an input is changed",
       .run =
           [](PlantedRun& run) {
             run.compute();
             run.change_input();
           },
       .change = flip_bit,
       .leaves_change = true},
      {.name = "changes_input_later",
       .what = "an input is changed in a later run",
       .run =
           [](PlantedRun& run) {
             run.compute();
             if (run.number() == 3) run.change_input();
           },
       .change = flip_bit,
       .leaves_change = true},
  };
  return errors;
}

ResultElements elements_of(const Array& array, std::size_t size) {
  const Extents& extent = array.extent;
  const std::size_t count = count_of(array);
  const std::size_t columns = extent[2] > 1   ? extent[2]
                              : extent[1] > 1 ? extent[1]
                                              : row_of_vector(extent[0]);
  return {std::vector<std::byte>(count * size), count / columns, columns, size};
}

PlantedRun::PlantedRun(Device& device, const Variant& right, const PlantedError& error,
                       std::size_t output, const Call& call, int number,
                       std::vector<std::byte>& kept)
    : device_(device), right_(right), error_(error), call_(call), number_(number), kept_(kept) {
  const Algorithm& algorithm = *find_algorithm(right.algorithm);
  host_arrays_ = algorithm.host_arrays;
  const std::vector<ArraySpec> specs = algorithm.arrays(call.shape);
  const auto part = [&](std::size_t k) {
    return Part{&call.arrays[k], size_of(specs[k].type(call.type))};
  };
  const std::optional<std::size_t> largest = largest_input(specs);
  largest_ = largest ? part(*largest) : Part{nullptr, 1};
  output_ = part(input_count(specs) + output);
}

void PlantedRun::compute_with_changed_input() {
  const ResultElements before = elements(largest_);
  change_input();
  compute();
  put_back(largest_, before);
}

void PlantedRun::change_input() {
  ResultElements copy = elements(largest_);
  error_.change(copy);
  put_back(largest_, copy);
}

void PlantedRun::change_output(const Change& change) {
  ResultElements copy = elements(output_);
  change(copy);
  put_back(output_, copy);
}

void PlantedRun::compute_once() {
  compute();
  ResultElements result = elements(output_);
  if (kept_.empty()) kept_ = result.bytes;
  result.bytes = kept_;
  put_back(output_, result);
}

void PlantedRun::clear_beside_output(std::ptrdiff_t place) {
  const std::vector<std::byte> zeros(output_.size);
  device_.fence();
  copy_in(output_.array->as<std::byte>() + place * static_cast<std::ptrdiff_t>(zeros.size()),
          zeros.data(), zeros.size());
}

void PlantedRun::copy_in(void* array, const void* host, std::size_t bytes) {
  if (host_arrays_)
    std::memcpy(array, host, bytes);
  else
    device_.copy_in(array, host, bytes);
}

ResultElements PlantedRun::elements(const Part& part) {
  ResultElements copy = elements_of(*part.array, part.size);
  device_.fence();
  if (host_arrays_)
    std::memcpy(copy.bytes.data(), part.array->data, copy.bytes.size());
  else
    device_.copy_out(copy.bytes.data(), part.array->data, copy.bytes.size());
  return copy;
}

void PlantedRun::put_back(const Part& part, const ResultElements& elements) {
  device_.fence();
  copy_in(part.array->data, elements.bytes.data(), elements.bytes.size());
}

PlantedVariant* PlantedVariant::living = nullptr;

PlantedVariant::PlantedVariant(Device& device, const Variant& right, const PlantedError& error,
                               std::size_t output)
    : device_(device), right_(right), error_(error), output_(output), variant_(right) {
  if (living != nullptr) throw Error("two planted variants at a time");
  living = this;
  variant_.name = error.name;
  variant_.run = run;
}

PlantedVariant::~PlantedVariant() {
  living = nullptr;
  enter_row(""); // leave the variant's row
}

void PlantedVariant::run(const Call& call) {
  // Slow enough that a host batches no runs: a batch shows only its last run's output.
  std::this_thread::sleep_for(std::chrono::microseconds(200));
  PlantedRun run(living->device_, living->right_, living->error_, living->output_, call,
                 ++living->runs_, living->kept_);
  living->error_.run(run);
}

} // namespace ado::bench
