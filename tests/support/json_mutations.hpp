// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A JSON document in which each field in turn takes each plausible other value.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace ado::bench {

struct Mutation {
  std::string path; ///< "/portable/seconds/2"
  std::string what; ///< what replaces it
  nlohmann::json document;
};

namespace mutations {

inline std::vector<nlohmann::json> other_values(const nlohmann::json& value) {
  using Json = nlohmann::json;
  std::vector<Json> all{nullptr,       true,          false, 0,       1,       -1,
                        1e300,         0.5,           "",    "false", "WRONG", "nan",
                        Json::array(), Json::object()};
  if (value.is_number_integer()) all.push_back(value.get<std::int64_t>() + 1);
  if (value.is_number()) {
    all.push_back(-value.get<double>());
    all.push_back(2 * value.get<double>());
    all.push_back(value.dump());
  }
  if (value.is_boolean()) all.push_back(value ? "true" : "false");
  if (value.is_string()) all.push_back("not verified: " + value.get<std::string>());
  if (value.is_array() && !value.empty()) {
    Json longer = value, shorter = value;
    longer.push_back(value.back());
    shorter.erase(shorter.size() - 1);
    all.insert(all.end(), {longer, shorter});
  }
  if (value.is_array() && value.empty()) all.insert(all.end(), {Json{0.001}, Json{"text"}});
  return all;
}

} // namespace mutations

/// All mutations of a document, including the values that `others` have in the same places.
inline std::vector<Mutation> mutations_of(const nlohmann::json& document,
                                          const std::vector<nlohmann::json>& others = {}) {
  using Json = nlohmann::json;
  std::vector<Mutation> all;
  const auto visit = [&](const auto& self, const Json::json_pointer& at) -> void {
    const Json& value = document[at];
    std::vector<Json> values = mutations::other_values(value);
    for (const Json& other : others)
      if (other.contains(at)) values.push_back(other[at]);
    for (const Json& instead : values) {
      if (instead.dump() == value.dump()) continue;
      Json mutated = document;
      mutated[at] = instead;
      all.push_back({at.to_string(), instead.dump().substr(0, 60), std::move(mutated)});
    }
    if (!at.empty()) {
      Json mutated = document;
      mutated[at.parent_pointer()].is_array()
          ? mutated[at.parent_pointer()].erase(std::stoul(at.back()))
          : void(mutated[at.parent_pointer()].erase(at.back()));
      all.push_back({at.to_string(), "nothing", std::move(mutated)});
    }
    if (value.is_object())
      for (const auto& part : value.items())
        self(self, at / part.key());
    if (value.is_array())
      for (std::size_t k = 0; k < value.size(); ++k)
        self(self, at / k);
  };
  visit(visit, Json::json_pointer());
  return all;
}

/// "/portable/seconds/2" as "seconds[]": the part that all rows and sides share.
inline std::string name_of_field(const std::string& path) {
  std::string name;
  for (std::size_t begin = 1; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string part = path.substr(begin, end - begin);
    begin = end + 1;
    const bool is_side = part == "portable" || part == "native" || part == "reference";
    if (is_side && name.empty() && end < path.size()) continue;
    if (part.find_first_not_of("0123456789") == std::string::npos)
      name += "[]";
    else
      name += (name.empty() ? "" : ".") + part;
  }
  return name;
}

} // namespace ado::bench
