// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random shapes, placements and data: every variant of every algorithm against the oracle. What fails
// is made smaller as long as it still fails. ADO_SHAPES says how many shapes an algorithm gets, ADO_SEED
// which:
//   ADO_SHAPES=2000 ADO_SEED=$(date +%s) build/openmp/bin/variants_test --gtest_filter=*Shapes*   ten thousand in all
#include "variant_test.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>

namespace ado {
namespace {

/// Of the largest array: enough for rows that are cut into pieces, and for several strips of tiles.
constexpr std::size_t most_elements = std::size_t{1} << 17;
constexpr double most_operations = 1 << 28;

struct ShapeCase {
  Shape shape;
  Type type;
  Placement placement;
  DataKind kind;
};

std::string text_of(const Algorithm& algorithm, const ShapeCase& c) {
  return std::string(algorithm.name) + " " + std::string(name_of(c.type)) + " " +
         text_of(c.shape, c.placement) + ", " + std::string(name_of(c.kind));
}

std::uint64_t number_from(const char* variable, std::uint64_t usual) {
  const char* text = std::getenv(variable);
  return text == nullptr ? usual : std::strtoull(text, nullptr, 10);
}

bool is_too_large(const Algorithm& algorithm, const ShapeCase& c) {
  for (const ArraySpec& spec : algorithm.arrays(c.shape))
    if (element_count(spec) > most_elements) return true;
  return traffic_of(algorithm, c.shape, c.type).flops > most_operations;
}

class RandomCases {
public:
  explicit RandomCases(std::uint64_t seed) : generator_(seed) {}

  ShapeCase draw(const Algorithm& algorithm) {
    ShapeCase c{{1, 1, 1}, draw_type(algorithm), {}, draw_kind()};
    const std::size_t sizes = algorithm.sizes.size();
    for (std::size_t k = 0; k < sizes; ++k)
      c.shape[k] = draw_size();
    while (is_too_large(algorithm, c)) {
      std::size_t& largest =
          *std::max_element(c.shape.begin(), c.shape.begin() + std::ptrdiff_t(sizes));
      largest -= largest / 3 + 1;
    }
    if (below(2) == 0)
      c.placement = {.padding = below(40), .offset = below(40), .pads_inputs = below(4) > 0};
    return c;
  }

private:
  std::size_t below(std::size_t end) { return std::size_t(generator_() % end); }

  /// Log-uniform, with every tenth 0 or 1 and every third around a power of two.
  std::size_t draw_size() {
    const std::size_t kind = below(30);
    if (kind < 3) return kind % 2;
    if (kind < 13) return (std::size_t{1} << below(13)) + below(3) - 1;
    return static_cast<std::size_t>(
        std::exp2(std::uniform_real_distribution<double>(0, 17)(generator_)));
  }
  Type draw_type(const Algorithm& algorithm) {
    std::vector<Type> types;
    for (const TypeInfo& row : type_table)
      if (algorithm.types.contains(row.type)) types.push_back(row.type);
    return types[below(types.size())];
  }
  DataKind draw_kind() { return below(3) == 0 ? DataKind::hash : DataKind::uniform; }

  std::mt19937_64 generator_;
};

class Shapes : public testing::TestWithParam<std::string> {
protected:
  const Algorithm& algorithm() const { return *find_algorithm(GetParam()); }

  /// What is wrong with which variant; empty where all are right.
  std::string failure_of(const ShapeCase& c) {
    HostData data({&algorithm(), c.shape, c.type}, c.placement);
    data.make(c.kind, 7);
    for (const Variant& variant : variants()) {
      if (variant.algorithm != algorithm().name || !variant.types.contains(c.type)) continue;
      const std::string wrong = failure_of(variant, data);
      if (!wrong.empty())
        return std::string(name_of(variant.model)) + "/" + std::string(variant.name) + "@" +
               std::string(variant.backend) + ": " + wrong;
    }
    return "";
  }

  /// The smallest case on the way down from `c` that still fails, with its message.
  std::pair<ShapeCase, std::string> shrunk(ShapeCase c, std::string failure) {
    for (bool smaller = true; smaller;) {
      smaller = false;
      for (const ShapeCase& candidate : smaller_cases(c)) {
        const std::string still = failure_of(candidate);
        if (still.empty()) continue;
        c = candidate;
        failure = still;
        smaller = true;
        break;
      }
    }
    return {c, failure};
  }

private:
  std::string failure_of(const Variant& variant, const HostData& data) {
    try {
      Workbench bench(device_of(variant), data, 1);
      bench.reserve_workspace(variant);
      const double steps = variant.rounding_steps(data.problem().shape, data.problem().type, {});
      for (const unsigned turn : {0u, 1u}) { // each poison
        bench.prepare(variant, 0, turn);
        bench.run(variant, 0);
        const Check check = bench.verify(0, steps);
        if (!check.ok) return check.first_wrong;
      }
      if (const std::string input = bench.changed_input(); !input.empty())
        return "the input " + input + " was changed";
      return bench.overran_workspace() ? "memory behind the workspace was overwritten" : "";
    } catch (const std::exception& error) {
      return error.what();
    }
  }

  Device& device_of(const Variant& variant) {
    std::unique_ptr<Device>& device = devices_[variant.backend];
    if (!device) device = open_device_of(variant);
    return *device;
  }

  /// The largest steps first.
  static std::vector<ShapeCase> smaller_cases(const ShapeCase& c) {
    std::vector<ShapeCase> cases;
    if (c.placement.padding > 0)
      cases.push_back({c.shape, c.type, {.offset = c.placement.offset}, c.kind});
    if (c.placement.offset > 0)
      cases.push_back({c.shape,
                       c.type,
                       {.padding = c.placement.padding, .pads_inputs = c.placement.pads_inputs},
                       c.kind});
    for (const std::size_t part : {2, 8, 64})
      for (std::size_t k = 0; k < c.shape.size(); ++k)
        if (c.shape[k] > 1) {
          cases.push_back(c);
          cases.back().shape[k] -= std::max<std::size_t>(c.shape[k] / part, 1);
        }
    return cases;
  }

  std::map<std::string_view, std::unique_ptr<Device>> devices_;
};

TEST_P(Shapes, OfAnySizeAndPlacementAreRight) {
  const std::uint64_t count = number_from("ADO_SHAPES", 60), seed = number_from("ADO_SEED", 1);
  std::cout << count << " shapes, ADO_SEED=" << seed << std::endl;
  RandomCases cases(seed);
  for (std::uint64_t k = 0; k < count; ++k) {
    const ShapeCase c = cases.draw(algorithm());
    const std::string failure = failure_of(c);
    if (failure.empty()) continue;
    const auto [smallest, still] = shrunk(c, failure);
    FAIL() << "shape " << k << " of ADO_SEED=" << seed << ": " << text_of(algorithm(), c) << "\n  "
           << failure << "\nsmallest that fails: " << text_of(algorithm(), smallest) << "\n  "
           << still;
  }
}

std::vector<std::string> names_of_algorithms() {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : algorithms())
    names.emplace_back(algorithm.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(, Shapes, testing::ValuesIn(names_of_algorithms()),
                         [](const auto& instance) { return instance.param; });

} // namespace
} // namespace ado
