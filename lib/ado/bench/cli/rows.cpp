// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/rows.hpp>
#include <ado/registry/registry.hpp>

#include <algorithm>

namespace ado::bench {
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

/// The hand-written twin; for a library call on a GPU the vendor's; else the variant that it names,
/// or the best by hand.
const Variant* native_twin(const Variant& portable, const Device& device) {
  const auto find = [&](std::string_view model, std::string_view name) {
    return find_variant(portable.algorithm, model, name,
                        device.on_host ? host_backend : device.backend);
  };
  const std::string_view by_hand = device.on_host ? "openmp" : "cuda";
  if (const Variant* twin = find(by_hand, twin_name(portable))) return twin;
  if (const Variant* vendor = device.on_host ? nullptr : find("vendor", portable.name))
    return vendor;
  if (!portable.compared_with.empty())
    return find_variant(portable.algorithm, name_of(portable.model), portable.compared_with,
                        portable.backend);
  return find(by_hand, find_algorithm(portable.algorithm)->best);
}

/// A row for each portable variant and each native one without a twin, from naive to best.
std::vector<Row> plan_rows(const Options& options, const Algorithm& algorithm,
                           const Device& device) {
  std::vector<Row> rows;
  for (const Variant& v : variants())
    if (v.algorithm == algorithm.name && is_portable(v.model) && v.backend == device.backend &&
        selected(options, v)) {
      const Variant* native = native_twin(v, device);
      if (native != nullptr && !listed_or_empty(options.models, name_of(native->model)))
        native = nullptr;
      rows.push_back({std::string(v.name), &v, native});
    }
  // Native variants without a twin of the same name stand alone.
  for (const Variant& v : variants()) {
    const bool has_row = std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
      return row.native == &v && row.name == v.name;
    });
    if (v.algorithm == algorithm.name && !is_portable(v.model) && runs_on(v, device) &&
        selected(options, v) && !has_row)
      rows.push_back({std::string(v.name), nullptr, &v});
  }
  std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
    return place_of(algorithm, a.name) < place_of(algorithm, b.name);
  });
  return rows;
}

/// The team sizes that the options ask for; 0: the variant's choice.
std::vector<int> asked_team_sizes(const Options& options, const Device& device) {
  if (!options.team_size_sweep) return {options.launch.team_size};
  return team_sizes_of(device);
}

/// Sets launch parameters in rows that take them; a sweep turns one row into several.
std::vector<Row> with_launch(const Options& options, const std::vector<Row>& rows,
                             const Device& device) {
  const std::vector<int> asked = asked_team_sizes(options, device), left_alone{0};
  const std::vector<int>& strides = options.strides.empty() ? left_alone : options.strides;
  std::vector<Row> all;
  for (Row row : rows) {
    if (takes(row, &Variant::takes_league_size) && options.launch.league_size > 0) {
      row.launch.league_size = options.launch.league_size;
      row.name += ", league " + std::to_string(row.launch.league_size);
    }
    const bool takes_team_size = takes(row, &Variant::takes_team_size);
    const bool takes_stride = takes(row, &Variant::takes_stride);
    row.in_sweep =
        (options.team_size_sweep && takes_team_size) || (strides.size() > 1 && takes_stride);
    for (const int size : takes_team_size ? asked : left_alone)
      for (const int stride : takes_stride ? strides : left_alone) {
        all.push_back(row);
        all.back().launch.team_size = size;
        all.back().launch.stride = stride;
        if (size > 0) all.back().name += ", team " + std::to_string(size);
        if (stride > 0) all.back().name += ", stride " + std::to_string(stride);
      }
  }
  return all;
}

} // namespace

bool runs_on(const Variant& variant, const Device& device) {
  return variant.backend == device.backend || (device.on_host && variant.backend == host_backend);
}

const Variant* find_variant(std::string_view algorithm, std::string_view model,
                            std::string_view name, std::string_view backend) {
  for (const Variant& v : variants())
    if (v.algorithm == algorithm && name_of(v.model) == model && v.name == name &&
        (v.backend == backend || v.backend == host_backend))
      return &v;
  return nullptr;
}

std::vector<const Variant*> variants_of(const Row& row) {
  std::vector<const Variant*> variants;
  for (const Variant* variant : {row.portable, row.native})
    if (variant != nullptr) variants.push_back(variant);
  return variants;
}

bool takes(const Row& row, bool Variant::*option) {
  return (row.portable != nullptr && row.portable->*option) ||
         (row.native != nullptr && row.native->*option);
}

std::vector<int> team_sizes_of(const Device& device) {
  const int least = device.on_host ? 1 : 32, most = device.on_host ? device.queue.threads : 1024;
  std::vector<int> sizes;
  for (int size = least; size <= most; size *= 2)
    sizes.push_back(size);
  return sizes;
}

std::string full_name(const Variant& variant) {
  return std::string(name_of(variant.model)) + "/" + std::string(variant.name);
}

std::vector<const Variant*> selected_variants(const Options& options, const Algorithm& algorithm,
                                              const Device& device) {
  std::vector<const Variant*> chosen;
  for (const Variant& v : variants())
    if (v.algorithm == algorithm.name && selected(options, v) &&
        (options.backend.name.empty() || runs_on(v, device)))
      chosen.push_back(&v);
  return chosen;
}

std::string runnable_variants(const std::vector<const Algorithm*>& chosen, const Device& device) {
  std::string text;
  for (const Algorithm* a : chosen) {
    std::string names;
    for (const Variant& v : variants())
      if (v.algorithm == a->name && runs_on(v, device))
        names += (names.empty() ? "" : ", ") + full_name(v);
    text += (text.empty() ? "" : "; ") + std::string(a->name) + ": " + names;
  }
  return text;
}

bool is_form(const Variant& portable) {
  return !find_algorithm(portable.algorithm)->tuned.empty() &&
         std::any_of(forms.begin(), forms.end(),
                     [&](const Form& form) { return form.name == portable.name; });
}

bool is_answer(const Row& row) {
  return row.portable != nullptr && row.native != nullptr && is_form(*row.portable);
}

std::vector<Row> rows_of(const Options& options, const Algorithm& algorithm, const Device& device) {
  return with_launch(options, plan_rows(options, algorithm, device), device);
}

} // namespace ado::bench
