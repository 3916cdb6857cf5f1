// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/option_values.hpp>
#include <ado/bench/cli/sweep.hpp>
#include <ado/registry/registry.hpp>

#include <algorithm>

namespace ado::bench {
namespace {

[[noreturn]] void refuse(const std::string& sweep, const std::string& why) {
  throw UsageError("--sweep " + sweep + ": " + why);
}

/// The texts between the separators: at least one, possibly empty.
Names split(const std::string& text, char separator) {
  Names parts;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find(separator, begin)) != std::string::npos; begin = end + 1)
    parts.push_back(text.substr(begin, end - begin));
  parts.push_back(text.substr(begin));
  return parts;
}

/// The long name of a size given by its long or short name.
std::string size_named(const std::string& name, const std::string& sweep) {
  Names known;
  for (const Algorithm& algorithm : algorithms())
    for (const SizeName& size : algorithm.sizes) {
      if (name == size.name || (name.size() == 1 && name[0] == size.short_name))
        return std::string(size.name);
      std::string both(size.name);
      if (size.short_name != 0) both += std::string(" or ") + size.short_name;
      if (std::find(known.begin(), known.end(), both) == known.end()) known.push_back(both);
    }
  refuse(sweep, "no size '" + name + "'; there are: " + joined(known));
}

void add_value(Sweep& sweep, std::size_t value) {
  if (std::find(sweep.values.begin(), sweep.values.end(), value) != sweep.values.end())
    refuse(sweep.text, std::to_string(value) + " occurs twice; leave one out");
  if (sweep.values.size() == most_cases)
    refuse(sweep.text, "has more than " + std::to_string(most_cases) +
                           " values; take a larger step or a smaller range");
  sweep.values.push_back(value);
}

/// FIRST:LAST:STEP. LAST is included if the steps meet it.
void add_range(Sweep& sweep, const Names& parts) {
  const std::string where = "--sweep " + sweep.text + ":";
  const std::size_t first = parse_size(parts[0], where), last = parse_size(parts[1], where);
  const std::string& step = parts[2];
  const bool multiplies = step.rfind('x', 0) == 0;
  if (!multiplies && step.rfind('+', 0) != 0)
    refuse(sweep.text, "'" + step + "' is no step; write x2, say, or +1024");
  const Kind factor{"a factor, a whole number from 2 on", "x2 or x10"};
  const std::size_t by = parse_size(step.substr(1), where, multiplies ? factor : a_size);
  if (first > last)
    refuse(sweep.text, "the range begins beyond its end; write the smaller size first");
  if (multiplies ? by < 2 || first == 0 : by == 0)
    refuse(sweep.text,
           "the steps would never end; begin at 1 or more and step by x2 or more, or by "
           "+1 or more");
  std::size_t value = first;
  add_value(sweep, value);
  while (multiplies ? value <= last / by : by <= last - value) {
    value = multiplies ? value * by : value + by;
    add_value(sweep, value);
  }
}

/// The sweep's sizes that the algorithm has.
Names owned_sizes(const Sweep& sweep, const Algorithm& algorithm) {
  Names owned;
  for (const SizeName& size : algorithm.sizes)
    if (std::find(sweep.sizes.begin(), sweep.sizes.end(), size.name) != sweep.sizes.end())
      owned.emplace_back(size.name);
  return owned;
}

} // namespace

Sweep parse_sweep(const std::string& text) {
  Names sides = split(text, '=');
  if (sides.size() < 2 || std::find(sides.begin(), sides.end(), "") != sides.end())
    refuse(text, "write SIZE=FIRST:LAST:x2, SIZE=FIRST:LAST:+1024 or SIZE=VALUE,VALUE; for example "
                 "rows=1Ki:32Ki:x2, or rows=cols=1Ki:32Ki:x2 for square matrices");
  const Names items = split(sides.back(), ',');
  sides.pop_back();
  Sweep sweep{text, {}, {}};
  for (const std::string& name : sides)
    sweep.sizes.push_back(size_named(name, text));
  for (const std::string& item : items) {
    const Names parts = split(item, ':');
    if (parts.size() == 1)
      add_value(sweep, parse_size(item, "--sweep " + text + ":"));
    else if (parts.size() == 3)
      add_range(sweep, parts);
    else
      refuse(text, "'" + item + "' is no range; write FIRST:LAST:x2 or FIRST:LAST:+1024");
  }
  return sweep;
}

std::vector<Sweep> parse_sweeps(const std::vector<std::string>& texts, const Sizes& given) {
  std::map<std::string, std::string> set_by; // by size
  for (const auto& [name, value] : given)
    set_by[name] = "--" + name + " " + std::to_string(value);
  std::vector<Sweep> sweeps;
  for (const std::string& text : texts) {
    sweeps.push_back(parse_sweep(text));
    for (const std::string& name : sweeps.back().sizes) {
      const auto [other, is_new] = set_by.emplace(name, "--sweep " + text);
      if (!is_new)
        refuse(text, name + " is already set by " + other->second + "; leave one of them out");
    }
  }
  return sweeps;
}

std::vector<Sizes> sweep_points(const std::vector<Sweep>& sweeps, const Algorithm& algorithm) {
  std::vector<Sizes> points(1);
  for (const Sweep& sweep : sweeps) {
    const Names owned = owned_sizes(sweep, algorithm);
    if (owned.empty()) continue;
    if (points.size() > most_cases / sweep.values.size())
      refuse(sweep.text, "makes more than " + std::to_string(most_cases) + " cases of " +
                             std::string(algorithm.name) + "; take fewer values");
    std::vector<Sizes> combined;
    for (const Sizes& point : points)
      for (const std::size_t value : sweep.values) {
        combined.push_back(point);
        for (const std::string& name : owned)
          combined.back()[name] = value;
      }
    points = std::move(combined);
  }
  return points;
}

} // namespace ado::bench
