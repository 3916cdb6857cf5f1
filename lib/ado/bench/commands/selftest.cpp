// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/commands/selftest.hpp>
#include <ado/bench/data/witness.hpp>
#include <ado/bench/guard/kernel_guard.hpp>
#include <ado/bench/io/text_table.hpp>
#include <ado/core/error.hpp>
#include <ado/registry/registry.hpp>

#include <algorithm>
#include <limits>
#include <ostream>

namespace ado::bench {
namespace {

/// Two tiles of 32 and a bit, the same on every side: swapped indices must not fail just because of
/// the shape.
constexpr std::size_t side = 67;

Problem small_square(const Algorithm& algorithm, bool floating) {
  Problem problem{&algorithm, {1, 1, 1}, algorithm.default_type};
  std::fill_n(problem.shape.begin(), algorithm.sizes.size(), side);
  const std::vector<ArraySpec> specs = algorithm.arrays(problem.shape);
  if (specs[largest_input(specs)].rank == 1) { // errors find rows in a vector that is long enough
    if (algorithm.shape_of_size != nullptr)
      problem.shape = algorithm.shape_of_size(side * side);
    else if (algorithm.sizes.size() == 1)
      problem.shape[0] = side * side;
  }
  for (std::size_t k = 0; k < algorithm.sizes.size(); ++k) // keep sizes that are small by design
    if (algorithm.classic[k] > 0 && algorithm.classic[k] < 64)
      problem.shape[k] = algorithm.classic[k];
  if (floating && !info(problem.type).floating) problem.type = Type::f32;
  return problem;
}

/// The best Kokkos variant, or any if there is none.
const Variant& portable_variant(const Algorithm& algorithm, const Device& device) {
  const Variant* chosen = nullptr;
  for (const Variant& v : variants())
    if (v.algorithm == algorithm.name && v.model == Model::kokkos && v.backend == device.backend &&
        (chosen == nullptr || is_best(v)))
      chosen = &v;
  if (chosen == nullptr)
    throw Error(std::string(algorithm.name) + " has no Kokkos variant to plant errors into");
  return *chosen;
}

/// Puts it into the middle of the largest input.
void put_nan(HostData& data) {
  const Array& array = data.input(largest_input(data.specs()));
  const std::size_t middle = array.extent[0] * array.extent[1] * array.extent[2] / 2;
  with_real_type(data.problem().type, [&](auto zero) {
    using T = decltype(zero);
    array.as<T>()[middle] = std::numeric_limits<T>::quiet_NaN();
  });
}

/// Whether the instrument judged correctly.
bool judged_rightly(const Measurement& m, const PlantedError& error) {
  if (error.harmless) return m.verified();
  return m.ran && !m.failure.empty() && m.seconds.empty();
}

std::string cell(const Measurement& m, const PlantedError& error) {
  if (m.crashed) return "CRASHED";
  if (judged_rightly(m, error)) return error.harmless ? "verified" : "caught";
  if (error.harmless) return "REFUSED";
  return m.failure.empty() ? "NOT CAUGHT" : "NOT RUN";
}

} // namespace

Measurement measure_planted(Device& device, const Algorithm& algorithm, const PlantedError& error) {
  const Variant& right = portable_variant(algorithm, device);
  const Problem problem = small_square(algorithm, error.with_nan);
  const PlantedVariant planted(device, right, error);
  enter_row("selftest of " + std::string(algorithm.name));
  if (error.on_witness) {
    const Seen seen = WitnessBench(device, problem).see(planted.variant(), {});
    Measurement m;
    m.variant = &right;
    m.ran = seen.ran;
    m.failure = seen.failure;
    m.crashed = !known_fault(planted.variant()).empty();
    return m;
  }
  HostData data(problem);
  data.make(DataKind::uniform, 1);
  if (error.with_nan) put_nan(data);
  Workbench bench(device, data, 1);
  // A batch shows only its last run's output; cold caches prevent batches. A host has none anyway,
  // see run().
  const StopRule rule{.reps = 4, .cold_cache = !device.on_host};
  Measurement m = measure(bench, data.problem(), {&planted.variant()}, rule)[0];
  m.variant = &right; // the planted one is gone after this
  return m;
}

int selftest(std::ostream& out, Device& device, const Algorithms& algorithms,
             const std::vector<PlantedError>& errors) {
  std::vector<TextTable::Column> columns{{"planted"}};
  std::vector<std::string> planted_into;
  for (const Algorithm* algorithm : algorithms) {
    columns.push_back({std::string(algorithm->name)});
    planted_into.push_back(columns.back().title + " " +
                           full_name(portable_variant(*algorithm, device)));
  }
  TextTable table(columns);
  bool any_crashed = false;
  std::string wrongly_judged;
  std::size_t planted = 0, caught = 0;
  for (const PlantedError& error : errors) {
    std::vector<std::string> cells{std::string(error.what)};
    for (const Algorithm* algorithm : algorithms) {
      const Measurement m = measure_planted(device, *algorithm, error);
      const bool right = judged_rightly(m, error);
      planted += error.harmless ? 0 : 1;
      caught += !error.harmless && right ? 1 : 0;
      any_crashed = any_crashed || m.crashed;
      if (!right)
        wrongly_judged += std::string(algorithm->name) + ", " + std::string(error.name) + ": " +
                          (m.failure.empty() ? "taken for a right result" : m.failure) + "\n";
      cells.push_back(cell(m, error));
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
