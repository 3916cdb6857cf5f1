// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/registry/registry.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace ado::bench {
namespace {

/// What is wrong with the arrays of a record whose sizes differ; empty: nothing.
std::string array_mistake(const Algorithm& a) {
  const std::vector<ArraySpec> specs = a.arrays({3, 5, 7});
  const auto is_of_the_run = [](const ArraySpec& spec) { return !spec.own_type; };
  if (specs.empty() || specs.size() > most_arrays)
    return "arrays: gives " + std::to_string(specs.size()) + ", but there have to be 1 to " +
           std::to_string(most_arrays) + ", inputs and an output";
  if (std::none_of(specs.begin(), specs.end(), is_of_the_run))
    return "arrays: each has a type of its own, so --type would have no effect";
  if (a.slicing && input_count(specs) + 1 < specs.size())
    return "arrays: several outputs, so the problem cannot be cut into slices";
  for (std::size_t k = 0; k < specs.size(); ++k) {
    const ArraySpec& spec = specs[k];
    const std::string where = "arrays: '" + std::string(spec.name) + "' ";
    if (spec.name.empty()) return "arrays: number " + std::to_string(k) + " has no name";
    for (std::size_t other = 0; other < k; ++other)
      if (specs[other].name == spec.name) return where + "is the name of two";
    if (!spec.output && k + 1 == specs.size()) return where + "is the last and no output";
    if (!spec.output && k > input_count(specs)) return where + "is an input behind an output";
    if (spec.output && spec.fill != nullptr)
      return where + "is an output, so it must not have a fill";
    if ((spec.own_type || spec.fill != nullptr) && a.slicing)
      return where +
             "has a type of its own or fills itself, so the problem cannot be cut into slices";
    if (spec.rank < 0 || spec.rank > 3) return where + "has a rank that is not 0 to 3";
    for (std::size_t d = 0; d < spec.extent.size(); ++d)
      if (spec.extent[d] == 0 || (static_cast<int>(d) >= spec.rank && spec.extent[d] != 1))
        return where + "has extent " + std::to_string(spec.extent[d]) + " in dimension " +
               std::to_string(d) + "; unused ones are 1, and none is 0 unless a size is";
  }
  return {};
}

/// What is wrong with a record; empty: nothing.
std::string mistake(const Algorithm& a) {
  if (a.sizes.empty() || a.sizes.size() > std::tuple_size_v<Shape>)
    return "sizes: there have to be 1 to " + std::to_string(std::tuple_size_v<Shape>);
  if (!a.types.contains(a.default_type)) return "default_type: is none of its types";
  if (a.arrays == nullptr) return "arrays: missing";
  if (a.oracle == nullptr) return "oracle: missing, so no result could be verified";
  return array_mistake(a);
}

} // namespace

std::size_t input_count(const std::vector<ArraySpec>& specs) {
  const auto is_output = [](const ArraySpec& spec) { return spec.output; };
  return static_cast<std::size_t>(std::find_if(specs.begin(), specs.end(), is_output) -
                                  specs.begin());
}

Runs runs_of(const ArraySpec& spec) {
  if (!spec.whole) return {};
  const Extents &part = spec.extent, &whole = *spec.whole;
  std::size_t cut = 0; // a run is the cut extent's part times the extents below it
  while (cut < part.size() && part[cut] == whole[cut])
    ++cut;
  Runs runs;
  for (std::size_t d = 0; d < part.size(); ++d) {
    runs.first = runs.first * whole[d] + spec.begin[d];
    if (d < cut) continue;
    runs.length *= part[d];
    runs.apart *= whole[d];
  }
  if (cut == 0 || runs.length == 0) runs.length = runs.apart; // there is one, or none
  return runs;
}

MovedBytes bytes_of_arrays(const Algorithm& algorithm, const Shape& shape, Type type) {
  MovedBytes moved{0, 0};
  for (const ArraySpec& spec : algorithm.arrays(shape)) {
    double bytes = static_cast<double>(size_of(spec.type(type)));
    for (const std::size_t extent : spec.extent)
      bytes *= static_cast<double>(extent);
    (spec.output ? moved.written : moved.read) += bytes;
  }
  return moved;
}

Traffic traffic_of(const Algorithm& algorithm, const Shape& shape, Type type) {
  const MovedBytes moved = algorithm.bytes == nullptr ? bytes_of_arrays(algorithm, shape, type)
                                                      : algorithm.bytes(shape, type);
  const double flops = algorithm.flops == nullptr ? 0 : algorithm.flops(shape, type);
  return {moved.read, moved.written, flops};
}

std::vector<std::string> mistakes_in_records(const std::vector<Algorithm>& algorithms,
                                             const std::vector<Variant>& variants) {
  std::vector<std::string> found;
  const auto note = [&](const std::string& record, const std::string& what) {
    if (!what.empty()) found.push_back(record + ": " + what);
  };
  std::set<std::string_view> names;
  std::map<char, std::pair<std::string_view, std::string_view>> short_names; // size, its algorithm
  for (const Algorithm& a : algorithms) {
    const std::string record = "algorithm '" + std::string(a.name) + "'";
    note(record, mistake(a));
    if (!names.insert(a.name).second) note(record, "is registered twice");
    for (const SizeName& size : a.sizes) {
      if (size.short_name == 0) continue;
      const auto& [name, owner] =
          short_names.emplace(size.short_name, std::pair(size.name, a.name)).first->second;
      if (name != size.name)
        note(record, "sizes: -" + std::string(1, size.short_name) + " is short for '" +
                         std::string(name) + "' of algorithm '" + std::string(owner) +
                         "', so it cannot be for '" + std::string(size.name) +
                         "' too; give both sizes the same name, or drop one short name");
    }
    const auto is_its = [&](const Variant& v) { return v.algorithm == a.name; };
    if (std::none_of(variants.begin(), variants.end(), is_its)) note(record, "has no variant");
  }
  std::set<std::tuple<std::string_view, Model, std::string_view, std::string_view>> seen;
  for (const Variant& v : variants) {
    const std::string record = "variant " + std::string(v.algorithm) + " " +
                               std::string(name_of(v.model)) + "/" + std::string(v.name) + " (" +
                               std::string(v.file) + ")";
    if (v.run == nullptr) note(record, "run: missing");
    if (!names.contains(v.algorithm)) note(record, "there is no algorithm of that name");
    if (!seen.emplace(v.algorithm, v.model, v.name, v.backend).second)
      note(record, "another one has its name and model");
    const auto is_named = [&](const Variant& other) {
      return other.algorithm == v.algorithm && other.model == v.model &&
             other.backend == v.backend && other.name == v.compared_with && other.name != v.name;
    };
    if (!v.compared_with.empty() && std::none_of(variants.begin(), variants.end(), is_named))
      note(record,
           "compared_with: its model has no other variant '" + std::string(v.compared_with) + "'");
  }
  return found;
}

} // namespace ado::bench
