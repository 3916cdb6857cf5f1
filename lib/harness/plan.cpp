// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/core/registry.hpp>
#include <ado/harness/npy.hpp>
#include <ado/harness/plan.hpp>

#include <algorithm>
#include <bit>

namespace ado {
namespace {

bool listed(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}
bool listed_or_empty(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || listed(names, name);
}

bool selected(const Options& options, const Variant& variant) {
  return listed_or_empty(options.variants, variant.name) &&
         !listed(options.excluded_variants, variant.name) &&
         listed_or_empty(options.models, name_of(variant.model));
}

/// On a GPU the hand-written twin is CUDA's; on a host it is the OpenMP variant of the same name,
/// else the best OpenMP one, which every CPU rung is compared with.
const Variant* native_twin(const Variant& portable, const Device& device) {
  if (!device.on_host)
    return find_variant(portable.algorithm, "cuda", portable.name, device.backend);
  if (const Variant* same = find_variant(portable.algorithm, "openmp", portable.name, host_backend))
    return same;
  return find_variant(portable.algorithm, "openmp", "team", host_backend);
}

/// Whether a variant can run on the device at all.
bool runs_on(const Variant& variant, const Device& device) {
  return variant.backend == device.backend || (device.on_host && variant.backend == host_backend);
}

std::vector<Row> plan_rows(const Options& options, const Algorithm& algorithm,
                           const Device& device) {
  std::vector<Row> rows;
  const auto has_model = [&](const Variant* v) {
    return v != nullptr && listed_or_empty(options.models, name_of(v->model));
  };
  std::vector<const Variant*> twins;
  for (const Variant& v : variants())
    if (v.algorithm == algorithm.name && is_portable(v.model) && v.backend == device.backend &&
        selected(options, v)) {
      const Variant* native = native_twin(v, device);
      rows.push_back({std::string(v.name), &v, has_model(native) ? native : nullptr});
      twins.push_back(native);
    }
  // Native variants that are nobody's twin of the same name stand alone.
  for (const Variant& v : variants()) {
    const bool has_row = std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
      return row.native == &v && row.name == v.name;
    });
    if (v.algorithm == algorithm.name && !is_portable(v.model) && runs_on(v, device) &&
        selected(options, v) && !has_row)
      rows.push_back({std::string(v.name), nullptr, &v});
  }
  return rows;
}

/// A round number of elements: as many bytes as the device reads in about 30 ms, at least four
/// times its cache, at most what leaves room for outputs and copies.
std::size_t elements_that_fit(const Device& device, const Ceilings& ceilings, Type type) {
  const auto reads = static_cast<std::size_t>(0.03 * ceilings.read);
  std::size_t bytes = std::max(reads, 4 * device.last_level_cache);
  bytes = std::min(bytes, device.memory_bytes / 8);
  return std::bit_floor(std::max<std::size_t>(bytes / size_of(type), 1));
}

Shape default_shape(const Algorithm& algorithm, Type type, const Device& device,
                    const Ceilings& ceilings) {
  if (!device.on_host) {
    double bytes = 0;
    for (const ArraySpec& spec : algorithm.arrays(algorithm.classic))
      bytes += 2.0 * static_cast<double>(element_count(spec) * size_of(type));
    if (bytes < static_cast<double>(device.memory_bytes)) return algorithm.classic;
  }
  return algorithm.shape_of_size(elements_that_fit(device, ceilings, type));
}

Shape choose_shape(const Options& options, const Algorithm& algorithm, const InputFiles& files,
                   Type type, const Device& device, const Ceilings& ceilings) {
  Shape shape = default_shape(algorithm, type, device, ceilings);
  for (std::size_t k = 0; k < algorithm.sizes.size(); ++k) {
    const std::string name(algorithm.sizes[k].name);
    const auto file = files.sizes.find(name);
    const auto option = options.sizes.find(name);
    if (file != files.sizes.end()) shape[k] = file->second;
    if (option == options.sizes.end()) continue;
    if (file != files.sizes.end() && file->second != option->second)
      throw UsageError("--" + name + " " + std::to_string(option->second) +
                       ": the input files make it " + std::to_string(file->second));
    shape[k] = option->second;
  }
  return shape;
}

std::vector<std::string> selected_algorithms(const Options& options) {
  if (!options.algorithms.empty()) return options.algorithms;
  return {"average_mv", "transpose", "yax"};
}

/// Every size, input and output must belong to some selected algorithm, an array's bare name to
/// one.
void check_names_used(const Options& options) {
  std::vector<const Algorithm*> chosen;
  for (const std::string& name : selected_algorithms(options))
    chosen.push_back(find_algorithm(name));
  for (const auto& entry : options.sizes) {
    const std::string& size = entry.first;
    if (std::none_of(chosen.begin(), chosen.end(), [&](const Algorithm* a) {
          return std::any_of(a->sizes.begin(), a->sizes.end(),
                             [&](const SizeName& s) { return s.name == size; });
        }))
      throw UsageError("--" + size + " " + std::to_string(entry.second) +
                       ": none of the selected algorithms has this size");
  }
  for (const auto* files : {&options.inputs, &options.outputs})
    for (const auto& [name, path] : *files) {
      const std::string option = files == &options.inputs ? "--input " : "--output ";
      std::string owners, arrays;
      int count = 0;
      for (const Algorithm* a : chosen)
        for (const ArraySpec& spec : a->arrays(a->classic)) {
          if (spec.output != (files == &options.outputs)) continue;
          const std::string full = std::string(a->name) + "." + std::string(spec.name);
          arrays += (arrays.empty() ? "" : ", ") + full;
          if (name != full && name != spec.name) continue;
          owners += (owners.empty() ? "" : " or ") + full;
          ++count;
        }
      if (count == 0)
        throw UsageError(option + name + "=" + path + ": no such array; there are: " + arrays);
      if (count > 1)
        throw UsageError(option + name + "=" + path + ": ambiguous; write " + owners +
                         ", or choose one --algorithm");
    }
}

} // namespace

const Variant* find_variant(std::string_view algorithm, std::string_view model,
                            std::string_view name, std::string_view backend) {
  for (const Variant& v : variants())
    if (v.algorithm == algorithm && name_of(v.model) == model && v.name == name &&
        (v.backend == backend || v.backend == host_backend))
      return &v;
  return nullptr;
}

std::vector<Case> plan_cases(const Options& options, const Device& device,
                             const Ceilings& ceilings) {
  check_names_used(options);
  std::vector<Case> cases;
  for (const std::string& name : selected_algorithms(options)) {
    const Algorithm& algorithm = *find_algorithm(name);
    const std::vector<Row> rows = plan_rows(options, algorithm, device);
    if (rows.empty()) continue;
    const InputFiles files = match_inputs(algorithm, options.inputs);
    std::vector<Type> types = options.types;
    if (types.empty()) types.push_back(files.type.value_or(algorithm.default_type));
    for (const Type type : types) {
      if (files.type && *files.type != type)
        throw UsageError("--type " + std::string(name_of(type)) + ": the input files hold " +
                         std::string(name_of(*files.type)) + "; convert them with .astype()");
      if (!algorithm.types.contains(type)) {
        if (selected_algorithms(options).size() > 1) continue;
        throw UsageError("--type " + std::string(name_of(type)) + ": " + name +
                         " does not have it");
      }
      const Shape shape = choose_shape(options, algorithm, files, type, device, ceilings);
      cases.push_back({{&algorithm, shape, type}, files, rows});
    }
  }
  if (cases.empty())
    throw UsageError("nothing to run: no variant fits --algorithm, --variant, --model, --type and "
                     "the backend " +
                     device.backend + "; --list shows what there is");
  if (!options.outputs.empty() &&
      (cases.size() != 1 || cases[0].rows.size() != 1 ||
       (cases[0].rows[0].portable != nullptr) == (cases[0].rows[0].native != nullptr)))
    throw UsageError("--output needs exactly one algorithm, variant and model; choose with "
                     "--algorithm, --variant and --model");
  return cases;
}

} // namespace ado
