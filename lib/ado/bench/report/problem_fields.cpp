// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a row is about: algorithm, variant, sizes, launch parameters, bytes and operations.
#include <ado/bench/report/fields.hpp>
#include <ado/registry/registry.hpp>

#include <algorithm>

namespace ado::bench {
namespace {

using Json = nlohmann::ordered_json;
using SideField = Field<Side>;
using SideFields = std::vector<SideField>;

Json launch_parameter(bool taken, int value) { return taken && value > 0 ? Json(value) : Json(); }

Json size_of(const Side& s, const std::string& name) {
  const auto& sizes = s.row.problem.algorithm->sizes;
  for (std::size_t k = 0; k < sizes.size(); ++k)
    if (sizes[k].name == name) return s.row.problem.shape[k];
  return {};
}

/// The sizes of all algorithms; a side has its own ones.
SideFields sizes() {
  SideFields fields;
  for (const Algorithm& algorithm : algorithms())
    for (const SizeName& size : algorithm.sizes) {
      const std::string name(size.name), of(algorithm.name);
      const auto known = std::find_if(fields.begin(), fields.end(),
                                      [&](const SideField& field) { return field.name == name; });
      if (known == fields.end())
        fields.push_back({.name = name,
                          .meaning = "a size of " + of,
                          .value = [name](const Side& s) { return size_of(s, name); },
                          .json = "sizes/" + name,
                          .in_each = true});
      else
        known->meaning += ", " + of;
    }
  fields.push_back(
      {.name = "row_padding",
       .meaning = "elements between the rows of every array; nothing where there are none",
       .value = [](const Side& s) -> Json {
         const std::size_t padding = s.row.problem.row_padding;
         return padding > 0 ? Json(padding) : Json();
       },
       .json = "sizes/row_padding",
       .in_each = true});
  return fields;
}

SideFields what_ran() {
  return {{.name = "algorithm",
           .meaning = "what was computed",
           .value = [](const Side& s) -> Json { return s.row.problem.algorithm->name; },
           .in_each = true},
          {.name = "model",
           .meaning = "who wrote the variant, or whose library it calls",
           .value = [](const Side& s) -> Json { return name_of(s.m.variant->model); },
           .in_each = true},
          {.name = "variant",
           .meaning =
               "its name, as miniapp list shows it; in the table launch parameters too, where "
               "these are swept",
           .value = [](const Side& s) -> Json { return s.m.variant->name; },
           .in_each = true,
           .shown = {{.title = "variant", .cell = [](const Side& s) { return s.row.name; }}}},
          {.meaning = "Kokkos' execution space of a portable variant",
           .value = [](const Side& s) -> Json { return s.m.variant->backend; },
           .json = "backend",
           .in_each = true},
          {.name = "type",
           .meaning = "of the elements",
           .value = [](const Side& s) -> Json { return name_of(s.row.problem.type); },
           .in_each = true}};
}

SideFields work() {
  return {{.name = "team_size",
           .meaning = "threads of a team, where the row sets it",
           .value =
               [](const Side& s) {
                 return launch_parameter(s.m.variant->takes_team_size, s.row.launch.team_size);
               }},
          {.name = "league_size",
           .meaning = "teams, where the row sets it",
           .value =
               [](const Side& s) {
                 return launch_parameter(s.m.variant->takes_league_size, s.row.launch.league_size);
               }},
          {.name = "stride",
           .meaning = "elements between those that neighbouring lanes touch, where the row sets it",
           .value =
               [](const Side& s) {
                 return launch_parameter(s.m.variant->takes_stride, s.row.launch.stride);
               }},
          {.name = "bytes",
           .meaning = "every input and output moved once",
           .value = [](const Side& s) -> Json { return s.row.traffic().bytes(); },
           .in_each = true},
          {.name = "flops",
           .meaning = "floating-point operations of the formula",
           .value = [](const Side& s) -> Json { return s.row.traffic().flops; }}};
}

} // namespace

std::vector<Field<Side>> problem_fields() {
  SideFields fields = what_ran();
  for (const auto part : {sizes, work})
    for (SideField& field : part())
      fields.push_back(std::move(field));
  return fields;
}

} // namespace ado::bench
