// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/stream/memory_need.hpp>
#include <ado/core/checks.hpp>
#include <ado/core/registry.hpp>

#include <algorithm>
#include <bit>
#include <map>

namespace ado {
namespace {

/// An option that no selected variant takes would do nothing.
void check_launch_used(const Options& options, const std::vector<Case>& cases) {
  const auto check = [&](const char* option, bool given, bool Variant::*option_taken) {
    if (!given) return;
    for (const Case& c : cases)
      if (std::any_of(c.rows.begin(), c.rows.end(),
                      [&](const Row& r) { return takes(r, option_taken); }))
        return;
    std::string names;
    for (const Variant& v : variants())
      if (v.*option_taken && names.find(v.name) == std::string::npos)
        names += (names.empty() ? "" : ", ") + std::string(v.name);
    throw UsageError(std::string(option) +
                     ": none of the selected variants takes it; these do: " + names);
  };
  check("--team-size", options.launch.team_size > 0 || options.team_size_sweep,
        &Variant::takes_team_size);
  check("--league-size", options.launch.league_size > 0, &Variant::takes_league_size);
  check("--stride", !options.strides.empty(), &Variant::takes_stride);
}

/// Rows without an element take no memory, and still a step each of every loop over them.
void check_empty_rows(const Algorithm& algorithm, const Shape& shape) {
  constexpr std::size_t most = std::size_t(1) << 27;
  for (const ArraySpec& spec : algorithm.arrays(shape)) {
    if (element_count(spec) != 0) continue;
    for (const std::size_t extent : spec.extent)
      if (extent > most)
        throw UsageError(std::string(algorithm.name) + ": array " + std::string(spec.name) +
                         " has no element, and " + std::to_string(extent) +
                         " empty rows would take for ever; beside a size of 0 give at most " +
                         std::to_string(most));
  }
}

Shape choose_shape(const Sizes& sizes, const Algorithm& algorithm, const InputFiles& files,
                   Type type, const Device& device) {
  Shape shape = default_shape(algorithm, type, device);
  for (std::size_t k = 0; k < algorithm.sizes.size(); ++k) {
    const std::string name(algorithm.sizes[k].name);
    const auto file = files.sizes.find(name);
    const auto option = sizes.find(name);
    if (file != files.sizes.end()) shape[k] = file->second;
    if (option == sizes.end()) continue;
    if (file != files.sizes.end() && file->second != option->second)
      throw UsageError("--" + name + " " + std::to_string(option->second) +
                       ": the input files make it " + std::to_string(file->second));
    shape[k] = option->second;
  }
  for (const ArraySpec& spec : algorithm.arrays(shape))
    checked_product({spec.extent[0], spec.extent[1], spec.extent[2], size_of(spec.type(type))},
                    (std::string(algorithm.name) + ", array " + std::string(spec.name)).c_str());
  check_empty_rows(algorithm, shape);
  return shape;
}

void check_sizes_used(const Options& options, const Algorithms& chosen) {
  const auto check = [&](const std::string& size, const std::string& option) {
    if (std::none_of(chosen.begin(), chosen.end(), [&](const Algorithm* a) {
          return std::any_of(a->sizes.begin(), a->sizes.end(),
                             [&](const SizeName& s) { return s.name == size; });
        }))
      throw UsageError(option + ": none of the selected algorithms has this size");
  };
  for (const auto& [size, value] : options.sizes)
    check(size, "--" + size + " " + std::to_string(value));
  for (const Sweep& sweep : options.sweeps)
    for (const std::string& size : sweep.sizes)
      check(size, "--sweep " + sweep.text + ", " + size);
}

/// Every file must belong to one array of the selected algorithms, and every array has one file.
void check_arrays_used(const std::map<std::string, std::string>& files, const std::string& option,
                       bool output, const Algorithms& chosen) {
  std::map<std::string, std::string> file_of; // by full name
  for (const auto& [name, path] : files) {
    const std::string where = option + " " + name + "=" + path;
    std::vector<std::string> owners;
    std::string arrays;
    for (const Algorithm* a : chosen)
      for (const ArraySpec& spec : a->arrays(a->classic)) {
        if (spec.output != output) continue;
        const std::string full = std::string(a->name) + "." + std::string(spec.name);
        arrays += (arrays.empty() ? "" : ", ") + full;
        if (name == full || name == spec.name) owners.push_back(full);
      }
    if (owners.empty()) throw UsageError(where + ": no such array; there are: " + arrays);
    if (owners.size() > 1)
      throw UsageError(where + ": ambiguous; write " + owners[0] + " or " + owners[1] +
                       ", or choose one --algorithm");
    const auto [other, is_new] = file_of.emplace(owners[0], path);
    if (!is_new)
      throw UsageError(where + ": " + owners[0] + " was already given as " + other->second);
  }
}

/// What would show stages needs a case that has some.
void check_stages_used(const Options& options, const std::vector<Case>& cases,
                       const Device& device) {
  if (!options.stages && options.timeline.empty()) return;
  if (std::any_of(cases.begin(), cases.end(),
                  [&](const Case& c) { return moves_data(c.problem, device); }))
    return;
  throw UsageError(std::string(options.stages ? "--stages" : "--timeline") +
                   ": none of the selected algorithms copies its data in and out by itself; "
                   "choose --algorithm pipeline, or arrays larger than --device-memory");
}

void check_types_used(const Options& options, const Algorithms& chosen) {
  for (const Type type : options.types)
    if (std::none_of(chosen.begin(), chosen.end(),
                     [&](const Algorithm* a) { return a->types.contains(type); }))
      throw UsageError("--type " + std::string(name_of(type)) +
                       ": none of the selected algorithms has this type");
}

void check_reference(const Options& options, const Algorithms& chosen, const Device& device) {
  if (!options.reference) return;
  const ReferenceSpec& r = *options.reference;
  const std::string_view backend = r.backend.name.empty() ? device.backend : r.backend.name;
  if (std::none_of(chosen.begin(), chosen.end(), [&](const Algorithm* a) {
        return find_variant(a->name, r.model, r.variant, backend) != nullptr;
      }))
    throw UsageError("--reference " + r.model + "/" + r.variant +
                     ": none of the selected algorithms has it; there are: " +
                     runnable_variants(chosen, device));
}

void check_one_output(const Options& options, const std::vector<Case>& cases) {
  if (options.outputs.empty()) return;
  if (cases.size() != 1 || cases[0].rows.size() != 1 ||
      (cases[0].rows[0].portable != nullptr && cases[0].rows[0].native != nullptr))
    throw UsageError(
        "--output needs exactly one algorithm, size, type, variant and model; choose with "
        "--algorithm, --type, --variant and --model");
}

/// What the options set of the sizes, once for each case.
std::vector<Sizes> asked_sizes(const Options& options, const Algorithm& algorithm,
                               const InputFiles& files) {
  for (const Sweep& sweep : options.sweeps)
    for (const std::string& size : sweep.sizes)
      if (const auto file = files.sizes.find(size); file != files.sizes.end())
        throw UsageError("--sweep " + sweep.text + ": the input files make " + size + " " +
                         std::to_string(file->second) + "; leave out one of the two");
  std::vector<Sizes> points = sweep_points(options.sweeps, algorithm);
  for (Sizes& point : points)
    point.insert(options.sizes.begin(), options.sizes.end());
  return points;
}

/// The cases of one algorithm: its types, and for each all sizes.
void add_cases(std::vector<Case>& cases, const Options& options, const Algorithm& algorithm,
               const Device& device) {
  const std::vector<Row> rows = rows_of(options, algorithm, device);
  if (rows.empty()) return;
  const InputFiles files = match_inputs(algorithm, options.inputs);
  const std::vector<Sizes> points = asked_sizes(options, algorithm, files);
  std::vector<Type> types = options.types;
  if (types.empty()) types.push_back(files.type.value_or(algorithm.default_type));
  for (const Type type : types) {
    if (files.type && *files.type != type)
      throw UsageError("--type " + std::string(name_of(type)) + ": the input files hold " +
                       std::string(name_of(*files.type)) + "; convert them with .astype()");
    if (!algorithm.types.contains(type)) {
      if (files.type)
        throw UsageError("--input " + files.path.begin()->first + "=" + files.path.begin()->second +
                         ": holds " + std::string(name_of(type)) + ", which " +
                         std::string(algorithm.name) + " does not have; convert it with .astype()");
      continue;
    }
    if (cases.size() + points.size() > most_cases)
      throw UsageError("--sweep: more than " + std::to_string(most_cases) +
                       " cases of all algorithms and types; take fewer values");
    for (const Sizes& point : points)
      cases.push_back(
          {{&algorithm, choose_shape(point, algorithm, files, type, device), type}, files, rows});
  }
}

} // namespace

std::vector<const Variant*> variants_of(const Case& c) {
  std::vector<const Variant*> all;
  for (const Row& row : c.rows)
    for (const Variant* variant : variants_of(row))
      all.push_back(variant);
  return all;
}

std::size_t row_count(const std::vector<Case>& cases) {
  std::size_t count = 0;
  for (const Case& c : cases)
    count += c.rows.size();
  return count;
}

Shape default_shape(const Algorithm& algorithm, Type type, const Device& device) {
  if (!device.on_host && algorithm.classic[0] != 0) {
    double bytes = 0;
    for (const ArraySpec& spec : algorithm.arrays(algorithm.classic))
      bytes += 2.0 * static_cast<double>(element_count(spec) * size_of(spec.type(type)));
    if (bytes < static_cast<double>(device.memory_bytes)) return algorithm.classic;
  }
  constexpr std::size_t mebibyte = std::size_t(1) << 20;
  const auto threads = static_cast<std::size_t>(device.queue.threads);
  std::size_t bytes =
      std::max(std::min(64 * threads, std::size_t(1024)) * mebibyte, 4 * device.last_level_cache);
  // What is free differs a little from run to run; its power of two seldom does.
  bytes = std::min(bytes, std::bit_floor(device.memory_bytes) / 8);
  const std::size_t elements = bytes / size_of(type);
  Shape least{64, 64, 64};
  if (algorithm.shape_of_size != nullptr) least = algorithm.shape_of_size(elements);
  /// Sizes that much larger, multiples of 64; those below 64 are the algorithm's choice.
  const auto larger = [&](std::size_t by) {
    Shape shape{1, 1, 1};
    for (std::size_t k = 0; k < algorithm.sizes.size(); ++k)
      shape[k] = least[k] < 64 ? least[k] : least[k] / 64 * 64 + 64 * by;
    return shape;
  };
  const auto is_enough = [&](std::size_t by) {
    std::size_t largest = 0;
    for (const ArraySpec& spec : algorithm.arrays(larger(by)))
      largest = std::max(largest, element_count(spec));
    return largest >= elements;
  };
  std::size_t by = 0, step = 1;
  while (!is_enough(by + step) && step < elements)
    step *= 2;
  for (; step > 0; step /= 2)
    if (!is_enough(by + step - 1)) by += step;
  return larger(by);
}

Algorithms selected_algorithms(const Options& options) {
  Algorithms chosen;
  for (const std::string& name : options.algorithms)
    chosen.push_back(find_algorithm(name));
  if (chosen.empty())
    for (const Algorithm& algorithm : algorithms())
      if (algorithm.usual) chosen.push_back(&algorithm);
  return chosen;
}

std::vector<Case> plan_cases(const Options& options, const Device& device) {
  if (options.launches && device.on_host)
    throw UsageError("--launches: kernels are launched on a GPU, and the backend " +
                     device.backend + " runs on the host; choose another with --backend");
  const Algorithms chosen = selected_algorithms(options);
  check_sizes_used(options, chosen);
  check_arrays_used(options.inputs, "--input", false, chosen);
  check_arrays_used(options.outputs, "--output", true, chosen);
  check_types_used(options, chosen);
  check_reference(options, chosen, device);
  std::vector<Case> cases;
  for (const Algorithm* algorithm : chosen)
    add_cases(cases, options, *algorithm, device);
  if (cases.empty())
    throw UsageError("nothing to run: no variant fits --algorithm, --variant, --exclude-variant, "
                     "--model and --type; on the backend " +
                     device.backend + " there are: " + runnable_variants(chosen, device));
  check_stages_used(options, cases, device);
  check_launch_used(options, cases);
  check_one_output(options, cases);
  return cases;
}

} // namespace ado
