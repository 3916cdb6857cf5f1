// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/measure/ceilings.hpp>
#include <ado/bench/measure/ceilings_text.hpp>

#include <nlohmann/json.hpp>

namespace ado::bench {

std::string ceilings_text(const Ceilings& ceilings) {
  nlohmann::ordered_json object{{"measured", ceilings.measured}};
  for (const CeilingField& field : ceiling_fields)
    if (!field.may_lack || ceilings.*field.value > 0)
      object[std::string(field.name)] = ceilings.*field.value;
  return object.dump();
}

Ceilings ceilings_from_text(std::string_view text) {
  const auto object = nlohmann::json::parse(text);
  Ceilings ceilings;
  ceilings.measured = object.at("measured").get<std::string>();
  for (const CeilingField& field : ceiling_fields)
    if (const std::string name(field.name); !field.may_lack || object.contains(name))
      ceilings.*field.value = object.at(name).get<double>();
  return ceilings;
}

} // namespace ado::bench
