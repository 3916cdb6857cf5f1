// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A variant of the registry, judged on witness data and on random data, some of it not finite. Gaps
// between input rows hold NaNs, so that reading them shows even if they are multiplied by zero.
#include "draw.hpp"
#include "variant_test.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace battery {
namespace {

using namespace ado::bench;

struct Case {
  const Variant* variant;
  const Algorithm* algorithm = find_algorithm(variant->algorithm);
  Shape shape{1, 1, 1};
  Type type{};
  Placements placements{};
  DataKind kind{};
  Launch launch{};
  std::uint64_t not_finite = 0; ///< seed of the non-finite inputs; 0: none

  Problem problem() const { return {algorithm, shape, type}; }
};

std::string text_of(const Case& c) {
  std::string text = std::string(name_of(c.variant->model)) + "/" + std::string(c.variant->name) +
                     "@" + std::string(c.variant->backend) + " " + std::string(c.algorithm->name) +
                     " " + std::string(name_of(c.type));
  for (std::size_t k = 0; k < c.algorithm->sizes.size(); ++k)
    text += (k == 0 ? " " : "x") + std::to_string(c.shape[k]);
  const auto specs = c.algorithm->arrays(c.shape);
  text += ", padding+offset";
  for (std::size_t k = 0; k + 1 < specs.size(); ++k)
    text += " " + text_of(c.placements.input[k]);
  text += " " + text_of(c.placements.output) + ", " + std::string(name_of(c.kind));
  for (const auto& [what, number] : {std::pair("team size", c.launch.team_size),
                                     {"league size", c.launch.league_size},
                                     {"stride", c.launch.stride}})
    if (number != 0) text += ", " + std::string(what) + " " + std::to_string(number);
  return c.not_finite == 0 ? text : text + ", some not finite";
}

bool has_usual_gpu() {
  static const bool gpu = !open_device({default_backend()})->on_host;
  return gpu;
}

/// Mostly a GPU variant, if there is a GPU; half of the time one that the public functions call, or
/// its twin.
const Variant& draw_variant(Draw& draw) {
  const std::string usual = default_backend();
  const bool best = draw.one_in(2), gpu = has_usual_gpu(), on_gpu = gpu && !draw.one_in(10);
  const std::string_view algorithm = draw.of(algorithms()).name;
  std::vector<const Variant*> fit;
  for (const Variant& variant : variants())
    if (variant.algorithm == algorithm && (!best || is_best(variant)) &&
        (!gpu || on_gpu == (variant.backend == usual)))
      fit.push_back(&variant);
  return fit.empty() ? draw_variant(draw) : *draw.of(fit);
}

Device& device_of(const Variant& variant) {
  static std::map<std::string_view, std::unique_ptr<Device>> devices;
  if (devices.empty()) Kokkos::push_finalize_hook([] { devices.clear(); });
  std::unique_ptr<Device>& device = devices[variant.backend];
  if (!device) device = open_device_of(variant);
  return *device;
}

/// Shapes that other draws hardly reach and GPUs have kernels for: very many short rows; so many
/// tiles that they may be shifted; and the tiles of matrices of half a GiB.
std::optional<Shape> draw_rare_shape(Draw& draw, const Case& c) {
  const std::size_t bytes = size_of(c.type);
  if (!is_best(*c.variant) || device_of(*c.variant).on_host) return {};
  if (c.algorithm->name.starts_with("average") && draw.one_in(4)) {
    const std::size_t rows = (std::size_t{1} << 18) + draw.below(1 << 16),
                      count = 1 + draw.below(20);
    const std::size_t length = c.algorithm->name == "average" ? rows : 1 + draw.below(64);
    return Shape{rows / length, length, count};
  }
  if (c.algorithm->name == "transpose" && draw.one_in(20)) {
    const std::size_t least = bytes < 4 ? 8192 : bytes > 8 ? 2048 : 4096;
    return Shape{least + 64 * draw.below(3), least + 64 * draw.below(3), 1};
  }
  if (c.algorithm->name == "transpose" && draw.one_in(30)) {
    const std::size_t rows = 8192 + 64 * draw.below(100);
    const std::size_t least_bytes = std::size_t{1} << (bytes == 8 ? 30 : 29);
    return Shape{rows, least_bytes / bytes / rows + 1 + 64 * draw.below(3), 1};
  }
  return {};
}

/// Mostly with enough elements for rows to be cut into pieces.
Shape draw_shape(Draw& draw, const Case& c) {
  if (const auto rare = draw_rare_shape(draw, c)) return *rare;
  const Algorithm& algorithm = *c.algorithm;
  const auto exceeds = [&](const Shape& shape, unsigned bits) {
    for (const ArraySpec& spec : algorithm.arrays(shape))
      if (element_count(spec) > std::size_t{1} << (16 + bits)) return true;
    return traffic_of(algorithm, shape, c.type).flops > std::exp2(23 + bits);
  };
  Shape shape = draw.shape(algorithm.sizes.size(), has_usual_gpu() ? 11 : 7, exceeds);
  if (algorithm.name == "pipeline") // each chunk costs launches
    shape[0] = std::min<std::size_t>(shape[0], 1000);
  return shape;
}

/// Sets every fourth parameter that the variant takes.
Launch draw_launch(Draw& draw, const Variant& variant) {
  const auto asked = [&](bool takes, std::size_t most) {
    return takes && draw.one_in(4) ? 1 + int(draw.below(most)) : 0;
  };
  const bool on_host = device_of(variant).on_host;
  return {.team_size = asked(variant.takes_team_size, on_host ? 2 : 32) * (on_host ? 1 : 32),
          .league_size = asked(variant.takes_league_size, draw.one_in(2) ? 300 : 70000),
          .stride = asked(variant.takes_stride, 40)};
}

Case draw_case(Draw& draw) {
  Case c{.variant = &draw_variant(draw)};
  std::vector<Type> types;
  for (const TypeInfo& row : type_table)
    if (c.variant->types.contains(row.type) && c.algorithm->types.contains(row.type))
      types.push_back(row.type);
  c.type = draw.of(types);
  c.shape = draw_shape(draw, c);
  c.launch = draw_launch(draw, *c.variant);
  const std::vector<ArraySpec> specs = c.algorithm->arrays(c.shape);
  const std::size_t alike = draw.below(2 * Draw::gap_kinds); // else each array has its own gaps
  for (std::size_t k = 0; k < specs.size(); ++k) {
    const std::size_t bytes = size_of(specs[k].type(c.type));
    const std::size_t row = specs[k].rank < 2 ? 0 : specs[k].extent[std::size_t(specs[k].rank) - 1];
    const auto gap = [&](std::size_t length) {
      return alike < Draw::gap_kinds ? draw.gap(length, bytes, alike) : draw.gap(length, bytes);
    };
    Placement& place = specs[k].output ? c.placements.output : c.placements.input[k];
    place.padding = gap(row);
    place.offset = gap(0);
    if (specs[k].rank == 3) place.set_padding = gap(specs[k].extent[1] * (row + place.padding));
  }
  c.kind = draw.one_in(3) ? DataKind::hash : DataKind::uniform;
  if (real_types.contains(c.type) && draw.one_in(4)) c.not_finite = draw.word() | 1;
  return c;
}

/// Fills the gaps between input rows with NaNs.
void poison_gaps(const HostData& data) {
  constexpr std::uint64_t nans = workspace_pattern;
  for (std::size_t k = 0; k < data.input_count(); ++k) {
    const std::size_t element = size_of(data.specs()[k].type(data.problem().type));
    auto *const image = static_cast<std::byte*>(data.image(k)), *end = image;
    const auto fill_to = [&](std::byte* to) {
      for (; end < to; ++end)
        *end = std::bit_cast<std::array<std::byte, 8>>(nans)[std::size_t(end - image) % 8];
    };
    const Array& array = data.input(k);
    const ArrayRows rows(array);
    for (std::size_t row = 0; row < rows.count && rows.length > 0; ++row) {
      fill_to(array.as<std::byte>() + rows.start(row) * element);
      end += rows.length * element;
    }
    fill_to(image + data.image_bytes(k));
  }
}

/// Makes one to three elements of one input NaN, infinite or zero. Not in an empty problem, whose
/// sums are 0 whatever the factors are.
void plant(const Case& c, const HostData& data) {
  Draw draw(c.not_finite, 0);
  const std::size_t input = draw.below(data.input_count());
  const Array& array = data.input(input);
  const ArrayRows rows(array);
  const auto is_empty = [](const ArraySpec& spec) { return element_count(spec) == 0; };
  if (std::ranges::any_of(data.specs(), is_empty) || data.specs()[input].own_type) return;
  with_real_type(c.type, [&](auto zero) {
    using T = decltype(zero);
    constexpr T inf = std::numeric_limits<T>::infinity();
    const std::vector<T> values{std::numeric_limits<T>::quiet_NaN(), inf, -inf, inf, -inf, T(0)};
    for (std::size_t count = 1 + draw.below(3); count > 0; --count)
      array.as<T>()[rows.start(draw.below(rows.count)) + draw.below(rows.length)] = draw.of(values);
  });
}

std::string wrong_on_random_data(const Case& c) {
  HostData data(c.problem(), c.placements);
  data.make(c.kind, 7);
  if (c.not_finite != 0) plant(c, data);
  poison_gaps(data);
  Workbench bench(device_of(*c.variant), data, 1);
  bench.reserve_workspace(*c.variant);
  const double steps = c.variant->rounding_steps(c.shape, c.type, c.launch);
  for (const unsigned turn : {0u, 1u}) { // each poison
    bench.prepare(*c.variant, 0, turn);
    bench.run(*c.variant, 0, c.launch);
    const Check check = bench.verify(0, steps);
    if (!check.ok) return check.first_wrong;
    if (!check.unlikely.empty() && c.not_finite == 0 && order_is_ours(*c.variant))
      return "unlikely: " + check.unlikely;
  }
  if (const std::string input = bench.changed_input(); !input.empty())
    return "the input " + input + " was changed";
  return bench.overran_workspace() ? "memory behind the workspace was overwritten" : "";
}

/// Launch parameters that do not fit are refused; the message says "at most".
bool is_refusal(const Case& c, std::string_view failure) {
  const bool asks = c.launch.team_size + c.launch.league_size + c.launch.stride != 0;
  return asks && !failure.starts_with("WRONG") && failure.find("at most") != failure.npos;
}

std::string wrong_of(const Case& c) {
  try {
    const Seen seen = WitnessBench(device_of(*c.variant), c.problem(), false, c.placements)
                          .see(*c.variant, c.launch);
    if (is_refusal(c, seen.failure)) return "";
    return seen.failure.empty() ? wrong_on_random_data(c) : seen.failure;
  } catch (const std::exception& error) {
    return is_refusal(c, error.what()) ? "" : error.what();
  }
}

/// Each smaller in one respect, the largest steps first.
std::vector<Case> smaller_cases(const Case& c) {
  std::vector<Case> cases;
  const auto without = [&](auto change) {
    Case smaller = c;
    if (change(smaller)) cases.push_back(smaller);
  };
  without([](Case& s) { return std::exchange(s.not_finite, 0) != 0; });
  without([](Case& s) { return std::exchange(s.launch.team_size, 0) != 0; });
  without([](Case& s) { return std::exchange(s.launch.league_size, 0) != 0; });
  without([](Case& s) { return std::exchange(s.launch.stride, 0) != 0; });
  for (std::size_t k = 0; k <= c.placements.input.size(); ++k)
    for (const auto part : {&Placement::padding, &Placement::offset, &Placement::set_padding})
      without([&](Case& s) {
        Placement& p = k == s.placements.input.size() ? s.placements.output : s.placements.input[k];
        return std::exchange(p.*part, 0) != 0;
      });
  for (const std::size_t part : {2, 8, 64})
    for (std::size_t k = 0; k < c.shape.size(); ++k)
      without([&](Case& s) {
        const std::size_t n = s.shape[k];
        s.shape[k] -= std::max<std::size_t>(n / part, 1);
        return n > 1;
      });
  return cases;
}

/// The smallest case on the way down that still fails, and its failure.
Outcome shrunk(Case c, std::string wrong) {
  for (int tries = 0; tries < 300;) {
    bool smaller = false;
    for (const Case& candidate : smaller_cases(c)) {
      ++tries;
      std::string still = wrong_of(candidate);
      if (still.empty()) continue;
      c = candidate;
      wrong = std::move(still);
      smaller = true;
      break;
    }
    if (!smaller) break;
  }
  return {text_of(c), wrong};
}

} // namespace

Outcome run_registered(Draw& draw) {
  Case c = draw_case(draw);
  while (!why_skipped(c.problem(), *c.variant).empty())
    c = draw_case(draw);
  std::string wrong = wrong_of(c);
  if (wrong.empty()) return {text_of(c), ""};
  const Outcome smallest = shrunk(c, wrong);
  return {text_of(c), wrong + "\n  smallest: " + smallest.what + "\n    " + smallest.wrong};
}

} // namespace battery
