// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/commands/selftest.hpp>
#include <ado/bench/data/witness.hpp>
#include <ado/bench/guard/kernel_guard.hpp>
#include <ado/bench/io/text_table.hpp>
#include <ado/core/error.hpp>
#include <ado/registry/registry.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <ostream>
#include <tuple>

namespace ado::bench {
namespace {

/// Two tiles of 32 and a bit, the same on every side: swapped indices must not fail just because of
/// the shape.
constexpr std::size_t side = 67;

/// So many operations take a hundredth of a second.
constexpr double most_flops = 1e8;

Shape small_shape(const Algorithm& algorithm) {
  Shape shape{1, 1, 1};
  std::fill_n(shape.begin(), algorithm.sizes.size(), side);
  const std::vector<ArraySpec> specs = algorithm.arrays(shape);
  if (specs[largest_input(specs).value_or(specs.size() - 1)].rank == 1) {
    // Errors find rows in a vector that is long enough.
    if (algorithm.shape_of_size != nullptr)
      shape = algorithm.shape_of_size(side * side);
    else if (algorithm.sizes.size() == 1)
      shape[0] = side * side;
  }
  for (std::size_t k = 0; k < algorithm.sizes.size(); ++k) // keep sizes that are small by design
    if (algorithm.classic[k] > 0 && algorithm.classic[k] < 64) shape[k] = algorithm.classic[k];
  if (algorithm.flops != nullptr)
    while (algorithm.flops(shape, algorithm.default_type) > most_flops && shape[0] > 1)
      shape[0] /= 2;
  return shape;
}

/// The default type, or the first that can be NaN.
std::optional<Type> type_for(const Algorithm& algorithm, const PlantedError& error) {
  if (!error.with_nan || info(algorithm.default_type).floating) return algorithm.default_type;
  for (const TypeInfo& type : type_table)
    if (type.floating && algorithm.types.contains(type.type)) return type.type;
  return std::nullopt;
}

/// Of the variants that take the problem: the best Kokkos one, or any; if there is none, the best
/// by hand, or any. Null: none takes it.
const Variant* variant_to_spoil(const Problem& problem, const Device& device) {
  const auto rank = [](const Variant& v) {
    return std::tuple(v.model == Model::kokkos, v.model != Model::vendor, is_best(v));
  };
  const Variant* chosen = nullptr;
  for (const Variant& v : variants())
    if (v.algorithm == problem.algorithm->name && runs_on(v, device) &&
        why_skipped(problem, v).empty() && (chosen == nullptr || rank(v) > rank(*chosen)))
      chosen = &v;
  return chosen;
}

/// Puts it into the middle of the largest input; false: there is none that can be NaN.
bool put_nan(HostData& data) {
  const std::optional<std::size_t> largest = largest_input(data.specs());
  if (!largest) return false;
  const Type type = data.specs()[*largest].type(data.problem().type);
  if (!info(type).floating) return false;
  const Array& array = data.input(*largest);
  const std::size_t middle = array.extent[0] * array.extent[1] * array.extent[2] / 2;
  with_parts(type, [&](auto zero, std::size_t parts) {
    using T = decltype(zero);
    std::fill_n(array.as<T>() + parts * middle, parts, std::numeric_limits<T>::quiet_NaN());
  });
  return true;
}

/// Whether `check_inputs` refuses the inputs with this change to the largest, if any.
bool are_refused(const HostData& data, void (*change)(ResultElements&)) {
  const std::size_t largest = *largest_input(data.specs());
  const Array& array = data.input(largest);
  ResultElements elements =
      elements_of(array, size_of(data.specs()[largest].type(data.problem().type)));
  std::memcpy(elements.bytes.data(), array.data, elements.bytes.size());
  const std::vector<std::byte> before = elements.bytes;
  if (change != nullptr) change(elements);
  std::memcpy(array.data, elements.bytes.data(), before.size());
  const bool refused = !data.mistake().empty();
  std::memcpy(array.data, before.data(), before.size());
  return refused;
}

/// The output's bits; nothing if the variant does not run to its end.
std::optional<std::uint64_t> bits_of(Workbench& bench, const Variant& variant) try {
  if (!known_fault(variant).empty()) return std::nullopt;
  bench.reserve_workspace(variant);
  bench.prepare(variant, 0, 0);
  run_and_wait(bench, variant, 0, {});
  return bench.output_checksum(0);
} catch (const std::exception&) {
  end_if_lost(bench.device());
  return std::nullopt;
}

/// Whether the right variant gives the same bits with the error, on these inputs or, where no NaN
/// is needed, on small whole numbers, whose sums are exact in any order.
bool has_no_effect(HostData& data, Workbench& bench, const Variant& right, const Variant& planted,
                   bool with_nan) {
  const auto are_alike = [&] {
    const std::optional<std::uint64_t> bits = bits_of(bench, right);
    return bits && bits == bits_of(bench, planted);
  };
  if (are_alike()) return true;
  if (with_nan) return false;
  data.make(DataKind::hash, 1);
  bench.renew_inputs();
  return are_alike();
}

/// Whether the instrument judged correctly.
bool judged_rightly(const Planted& planted, const PlantedError& error) {
  const Measurement& m = planted.m;
  if (!planted.unfit.empty()) return true;
  if (error.harmless) return m.verified();
  return m.ran && !m.failure.empty() && m.seconds.empty();
}

std::string cell(const Planted& planted, const PlantedError& error) {
  if (!planted.unfit.empty()) return planted.unfit;
  if (planted.m.crashed) return "CRASHED";
  if (judged_rightly(planted, error)) return error.harmless ? "verified" : "caught";
  if (error.harmless) return "REFUSED";
  return planted.m.failure.empty() ? "NOT CAUGHT" : "NOT RUN";
}

Measurement measure_on_witness(Workbench& bench, HostData& data, const WitnessInputs& witness,
                               const Variant& planted) {
  const Seen seen = witness.see(data, bench, planted, {});
  Measurement m;
  m.ran = seen.ran;
  m.failure = seen.failure;
  return m;
}

} // namespace

Planted measure_planted(Device& device, const Algorithm& algorithm, const PlantedError& error,
                        std::size_t output) {
  const std::optional<Type> type = type_for(algorithm, error);
  if (!type) return {.unfit = "no NaN"};
  const Problem problem{&algorithm, small_shape(algorithm), *type};
  const WitnessInputs witness(problem, false);
  if (error.on_witness && !witness.judge()) return {.unfit = "no witness"};
  HostData data(problem);
  const auto load = [&] { data.make(DataKind::uniform, 1); };
  const bool changes_inputs = error.on_second_inputs || error.harmless;
  error.on_witness || changes_inputs ? witness.fill(data) : load();
  if (error.with_nan && !put_nan(data)) return {.unfit = "no NaN"};
  const bool needs_input = error.change != nullptr || error.on_second_inputs;
  if (needs_input && !largest_input(data.specs())) return {.unfit = "no input"};
  if (error.change != nullptr && (are_refused(data, nullptr) || are_refused(data, error.change)))
    return {.unfit = "bad input"};
  const Variant* const chosen = variant_to_spoil(problem, device);
  if (chosen == nullptr) return {.unfit = "no variant"};
  const Variant& right = *chosen;
  const PlantedVariant planted(device, right, error, output);
  const Variant& variant = planted.variant();
  enter_row("selftest of " + std::string(algorithm.name) +
            (output == 0 ? "" : ", output " + std::to_string(output + 1)));
  Workbench bench(device, data, 1);
  Measurement m;
  if (error.on_witness) {
    m = measure_on_witness(bench, data, witness, variant);
  } else {
    std::vector<Seen> seen;
    if (changes_inputs) {
      seen = {witness.see(data, bench, variant, {}, load)};
      load();
      bench.renew_inputs();
    }
    // A batch shows only its last run's output; cold caches prevent batches. A host has none
    // anyway, see run().
    const StopRule rule{.reps = 4, .cold_cache = !device.on_host};
    m = measure(bench, problem, {&variant}, rule, {}, seen)[0];
  }
  const auto is_missed = [&] { return m.ran && m.failure.empty() && !error.harmless; };
  const bool changes_what_is_read = error.change != nullptr && !error.leaves_change;
  if (is_missed() && changes_what_is_read &&
      has_no_effect(data, bench, right, variant, error.with_nan)) {
    if (!witness.judge()) return {.unfit = "no effect"};
    witness.fill(data); // each variant first runs on these
    bench.renew_inputs();
    m = measure_on_witness(bench, data, witness, variant);
    if (is_missed()) return {.unfit = "no effect"};
  }
  if (is_missed() && error.on_second_inputs) { // a minimum may be the same on both
    const auto bits = bits_of(bench, right);
    if (bits && bits == bits_of(bench, variant)) return {.unfit = "no effect"};
  }
  m.crashed = !known_fault(variant).empty();
  m.variant = &right; // the planted one is gone after this
  return {.m = m};
}

namespace {

/// In each output in turn, if the error is in one. Of these the first that was judged wrongly, else
/// the first that says something.
Planted measure_in_outputs(Device& device, const Algorithm& algorithm, const PlantedError& error) {
  const std::vector<ArraySpec> specs = algorithm.arrays(small_shape(algorithm));
  const std::size_t inputs = input_count(specs);
  Planted chosen = measure_planted(device, algorithm, error);
  if (!error.in_one_output || inputs + 1 == specs.size()) return chosen;
  chosen.output = specs[inputs].name;
  for (std::size_t k = inputs + 1; k < specs.size() && judged_rightly(chosen, error); ++k) {
    Planted planted = measure_planted(device, algorithm, error, k - inputs);
    planted.output = specs[k].name;
    if (!chosen.unfit.empty() || !judged_rightly(planted, error)) chosen = std::move(planted);
  }
  return chosen;
}

} // namespace

int selftest(std::ostream& out, Device& device, const Algorithms& algorithms,
             const std::vector<PlantedError>& errors) {
  std::vector<TextTable::Column> columns{{"planted"}};
  std::vector<std::string> planted_into;
  for (const Algorithm* algorithm : algorithms) {
    columns.push_back({std::string(algorithm->name)});
    const Problem usual{algorithm, small_shape(*algorithm), algorithm->default_type};
    const Variant* const chosen = variant_to_spoil(usual, device);
    if (chosen == nullptr)
      throw Error(columns.back().title + " has no variant to plant errors into");
    planted_into.push_back(columns.back().title + " " + full_name(*chosen));
  }
  TextTable table(columns);
  bool any_crashed = false;
  std::string wrongly_judged;
  std::size_t planted = 0, caught = 0;
  for (const PlantedError& error : errors) {
    std::vector<std::string> cells{std::string(error.what)};
    for (const Algorithm* algorithm : algorithms) {
      const Planted result = measure_in_outputs(device, *algorithm, error);
      const Measurement& m = result.m;
      const bool right = judged_rightly(result, error);
      const bool counts = !error.harmless && result.unfit.empty();
      planted += counts ? 1 : 0;
      caught += counts && right ? 1 : 0;
      any_crashed = any_crashed || m.crashed;
      if (!right)
        wrongly_judged += std::string(algorithm->name) + ", " + std::string(error.name) +
                          (result.output.empty() ? "" : " in " + result.output) + ": " +
                          (!m.failure.empty() ? m.failure
                           : error.harmless   ? m.unverified
                                              : "taken for a right result") +
                          "\n";
      cells.push_back(cell(result, error));
    }
    table.add(cells);
  }
  // Printed only now, because a kernel that faults restarts the program.
  print_pieces(out, "into", planted_into, ", ");
  out << '\n';
  table.print(out);
  out << '\n'
      << wrongly_judged << caught << " of " << planted << " planted errors caught, on "
      << device.description << '\n';
  if (any_crashed) return 7;
  return wrongly_judged.empty() ? 0 : 1;
}

} // namespace ado::bench
