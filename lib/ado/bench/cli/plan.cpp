// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/option_values.hpp>
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/stream/memory_need.hpp>
#include <ado/core/checks.hpp>
#include <ado/registry/registry.hpp>

#include <algorithm>
#include <iterator>
#include <map>

namespace ado::bench {
namespace {

/// Variants that take the option, as "average_mv coalesced", each once.
Names takers(bool Variant::*option) {
  Names names;
  for (const Variant& v : variants()) {
    const std::string name = std::string(v.algorithm) + " " + std::string(v.name);
    if (v.*option && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  }
  return names;
}

/// An option that no selected variant takes would have no effect.
void check_launch_used(const Options& options, const Algorithms& chosen,
                       const std::vector<Case>& cases) {
  const auto check = [&](const char* option, bool given, bool Variant::*option_taken) {
    if (!given) return;
    for (const Case& c : cases)
      if (std::any_of(c.rows.begin(), c.rows.end(),
                      [&](const Row& r) { return takes(r, option_taken); }))
        return;
    const Names all = takers(option_taken);
    Names names, near;
    for (const Algorithm* algorithm : chosen) {
      names.emplace_back(algorithm->name);
      std::copy_if(all.begin(), all.end(), std::back_inserter(near),
                   [&](const std::string& name) { return name.starts_with(names.back() + " "); });
    }
    throw UsageError(
        std::string(option) + ": " +
        (near.empty() ? "no variant of " + joined(names) + " takes it"
                      : "none of the selected variants takes it") +
        (all.empty() ? "; leave it out" : "; these do: " + joined(near.empty() ? all : near)));
  };
  check("--team-size", options.launch.team_size > 0 || options.team_size_sweep,
        &Variant::takes_team_size);
  check("--league-size", options.launch.league_size > 0, &Variant::takes_league_size);
  check("--stride", !options.strides.empty(), &Variant::takes_stride);
}

/// What made a size 0, for the message.
std::string source_of(const std::string& size, const Options& options, const InputFiles& files) {
  if (files.sizes.count(size) > 0) return "--input: a file makes " + size + " 0";
  for (const Sweep& sweep : options.sweeps)
    if (std::find(sweep.sizes.begin(), sweep.sizes.end(), size) != sweep.sizes.end())
      return "--sweep " + sweep.text;
  return "--" + size + " 0";
}

/// The library accepts an empty problem, but measuring one is a mistake.
void check_has_elements(const Options& options, const Algorithm& algorithm, const Shape& shape,
                        const InputFiles& files) {
  for (const ArraySpec& spec : algorithm.of_all().arrays(shape)) {
    if (element_count(spec) > 0) continue;
    std::string sources;
    for (std::size_t k = 0; k < algorithm.sizes.size(); ++k)
      if (shape[k] == 0)
        sources += source_of(std::string(algorithm.sizes[k].name), options, files) + ": ";
    throw UsageError(sources + "array " + std::string(spec.name) + " of " +
                     std::string(algorithm.name) +
                     " would have no element, and there would be nothing to measure; give 1 at "
                     "least");
  }
}

Shape choose_shape(const Sizes& sizes, const Options& options, const Algorithm& algorithm,
                   const InputFiles& files, Type type, const Device& device) {
  Shape shape = options.size_set == nullptr ? default_shape(algorithm, type, device)
                                            : shape_of(*options.size_set, algorithm, type);
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
  check_has_elements(options, algorithm, shape, files);
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

std::string full_name(const Algorithm& algorithm, const ArraySpec& spec) {
  return std::string(algorithm.name) + "." + std::string(spec.name);
}

/// Every file must belong to one array of the selected algorithms, and no array may have two files.
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
        const std::string full = full_name(*a, spec);
        arrays += (arrays.empty() ? "" : ", ") + full;
        if (is_array(name, *a, spec)) owners.push_back(full);
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

/// Options that show stages need a case that has some.
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

bool has_rows(const Algorithm* algorithm) {
  const std::vector<ArraySpec> specs = algorithm->arrays(algorithm->classic);
  return std::any_of(specs.begin(), specs.end(), [](const ArraySpec& s) { return s.rank >= 2; });
}

/// Without rows the option would have no effect.
void check_row_padding(const Options& options, const Algorithms& chosen) {
  const auto& all = options.row_paddings;
  const auto some = std::find_if(all.begin(), all.end(), [](std::size_t n) { return n > 0; });
  if (some == all.end()) return;
  const std::string where = "--row-padding " + std::to_string(*some) + ": ";
  if (std::none_of(chosen.begin(), chosen.end(), has_rows)) {
    Names without, with;
    for (const Algorithm* algorithm : chosen)
      without.emplace_back(algorithm->name);
    for (const Algorithm& algorithm : algorithms())
      if (has_rows(&algorithm)) with.emplace_back(algorithm.name);
    throw UsageError(where + "the arrays of " + joined(without) +
                     " have no rows; choose --algorithm " + joined(with));
  }
  if (!options.inputs.empty() || !options.outputs.empty())
    throw UsageError(where + "arrays of " + (options.inputs.empty() ? "--output" : "--input") +
                     " are packed, as their files are; leave out one of them");
}

/// On a GPU only an algorithm whose arrays stay in host memory has pages.
void check_pages_used(const Options& options, const Algorithms& chosen, const Device& device) {
  if (options.pages == Pages::large || device.on_host) return;
  if (std::none_of(chosen.begin(), chosen.end(),
                   [](const Algorithm* algorithm) { return algorithm->host_arrays; }))
    throw UsageError("--pages: the selected algorithms have their arrays in the GPU's memory; "
                     "choose --algorithm pipeline, or --backend openmp");
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

/// The sizes that the options set, once for each case.
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

/// Adds the cases of one algorithm: each type at each size.
void add_cases(std::vector<Case>& cases, const Options& options, const Algorithm& algorithm,
               const Device& device) {
  const std::vector<Row> rows = rows_of(options, algorithm, device);
  if (rows.empty()) return;
  const InputFiles files = match_inputs(algorithm, options.inputs);
  const std::vector<Sizes> points = asked_sizes(options, algorithm, files);
  std::vector<std::size_t> paddings{0};
  if (!options.row_paddings.empty() && has_rows(&algorithm)) paddings = options.row_paddings;
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
    if (cases.size() + points.size() * paddings.size() > most_cases)
      throw UsageError("--sweep: more than " + std::to_string(most_cases) +
                       " cases of all algorithms and types; take fewer values");
    for (const Sizes& point : points) {
      const Shape shape = choose_shape(point, options, algorithm, files, type, device);
      for (const std::size_t padding : paddings)
        cases.push_back({{&algorithm, shape, type, padding}, files, rows});
    }
  }
}

/// First what portable code costs, for all problems; then their other rungs, with a few runs each.
std::vector<Case> answers_first(const std::vector<Case>& cases) {
  std::vector<Case> ordered, ladders;
  for (const Case& c : cases) {
    Case answer = c, ladder = c;
    std::erase_if(answer.rows, [](const Row& row) { return !is_answer(row); });
    std::erase_if(ladder.rows, is_answer);
    if (answer.rows.empty()) {
      ordered.push_back(c);
      continue;
    }
    ordered.push_back(answer);
    for (Row& row : ladder.rows)
      row.brief = true;
    if (!ladder.rows.empty()) ladders.push_back(ladder);
  }
  ordered.insert(ordered.end(), ladders.begin(), ladders.end());
  return ordered;
}

/// Whether the user chose neither the variants nor how long they run.
bool is_usual_run(const Options& o) {
  return o.variants.empty() && o.models.empty() && o.sweeps.empty() && !o.team_size_sweep &&
         !o.stop.reps && !o.stop.timeout && !o.stop.max_noise &&
         o.stop.min_time == StopRule().min_time;
}

} // namespace

std::vector<const Variant*> variants_of(const Case& c) {
  std::vector<const Variant*> all;
  for (const Row& row : c.rows)
    for (const Variant* variant : variants_of(row))
      all.push_back(variant);
  return all;
}

bool is_array(const std::string& name, const Algorithm& algorithm, const ArraySpec& spec) {
  return name == spec.name || name == full_name(algorithm, spec);
}

std::size_t row_count(const std::vector<Case>& cases) {
  std::size_t count = 0;
  for (const Case& c : cases)
    count += c.rows.size();
  return count;
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
  check_row_padding(options, chosen);
  check_pages_used(options, chosen, device);
  check_reference(options, chosen, device);
  std::vector<Case> cases;
  for (const Algorithm* algorithm : chosen)
    add_cases(cases, options, *algorithm, device);
  if (cases.empty())
    throw UsageError("nothing to run: no variant fits --algorithm, --variant, --exclude-variant, "
                     "--model and --type; on the backend " +
                     device.backend + " there are: " + runnable_variants(chosen, device));
  check_stages_used(options, cases, device);
  check_launch_used(options, chosen, cases);
  check_one_output(options, cases);
  return is_usual_run(options) ? answers_first(cases) : cases;
}

} // namespace ado::bench
