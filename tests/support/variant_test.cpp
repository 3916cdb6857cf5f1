// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "variant_test.hpp"

#include <ado/core/error.hpp>

#include <algorithm>
#include <array>
#include <ostream>

namespace ado::bench {

std::vector<VariantCase> variant_cases(bool (*wanted)(const VariantCase&)) {
  std::vector<VariantCase> cases;
  for (const Variant& variant : variants())
    for (const TypeInfo& row : type_table) {
      const VariantCase c{&variant, row.type};
      if (variant.types.contains(row.type) && (wanted == nullptr || wanted(c))) cases.push_back(c);
    }
  return cases;
}

std::string name_of(const VariantCase& c) {
  std::string name;
  for (const std::string_view part : {c.variant->algorithm, name_of(c.variant->model),
                                      c.variant->name, c.variant->backend, name_of(c.type)})
    name += (name.empty() ? "" : "_") + std::string(part);
  return name;
}

std::ostream& operator<<(std::ostream& out, const VariantCase& c) { return out << name_of(c); }

bool runs_on_host(const Variant& variant) {
  const std::array backends{host_backend, std::string_view("openmp"), std::string_view("serial"),
                            std::string_view("threads")};
  return std::find(backends.begin(), backends.end(), variant.backend) != backends.end();
}

std::vector<Shape> edge_shapes_of(const Variant& variant) {
  const Algorithm& algorithm = *find_algorithm(variant.algorithm);
  std::vector<Shape> shapes = algorithm.edge_shapes();
  if (algorithm.name != "average_mv") return shapes;
  // Thousands of sets are there for plans and for tiles of a GPU.
  constexpr std::size_t most_sets_of_one_block = 288;
  constexpr double most_flops_of_host_rung = 2e6;
  for (Shape& shape : shapes) {
    if (variant.name == "one_block") shape[0] = std::min(shape[0], most_sets_of_one_block);
    if (!runs_on_host(variant) || has_many_ways({&variant, Type::f64})) continue;
    const double flops = std::max(1.0, algorithm.flops({1, shape[1], shape[2]}, Type::f64));
    shape[0] = std::min(shape[0], std::size_t(std::max(1.0, most_flops_of_host_rung / flops)));
  }
  return shapes;
}

std::unique_ptr<Device> open_device_of(const Variant& variant, int threads) {
  if (variant.backend != host_backend) return open_device({std::string(variant.backend), threads});
  std::string host;
  for (const std::string& name : backend_names()) // Serial too, if the default is a GPU
    if ((host.empty() || host == "serial") && open_device({name})->on_host) host = name;
  if (!host.empty()) return open_device({host, threads});
  throw Error("this Kokkos has no backend that runs on the host");
}

std::string text_of(const Placement& placement) {
  const std::string text =
      std::to_string(placement.padding) + "+" + std::to_string(placement.offset);
  if (placement.set_padding == 0) return text;
  return text + " (sets " + std::to_string(placement.set_padding) + ")";
}
std::string text_of(const Shape& shape, const Placements& placements) {
  return std::to_string(shape[0]) + "x" + std::to_string(shape[1]) + "x" +
         std::to_string(shape[2]) + ", padding and offset " + text_of(placements.input[0]) +
         ", output " + text_of(placements.output);
}

void VariantTest::SetUp() {
  try {
    device_ = open_device_of(variant());
  } catch (const Error& error) {
    GTEST_SKIP() << name_of(GetParam()) << " cannot run here: " << error.what();
  }
}

void VariantTest::expect_right_twice(Workbench& bench, double steps) {
  for (const unsigned turn : {0u, 1u}) {
    bench.prepare(variant(), 0, turn);
    bench.run(variant(), 0);
    const Check check = bench.verify(0, steps);
    EXPECT_TRUE(check.ok) << check.first_wrong;
  }
}

bool has_many_ways(const VariantCase& c) {
  return c.variant->name == "team" || c.variant->name == "tuned";
}
bool is_transpose_of_a_size(const VariantCase& c) {
  return c.variant->algorithm == "transpose" && has_many_ways(c) &&
         (!info(c.type).floating || c.type == Type::c128);
}

} // namespace ado::bench
