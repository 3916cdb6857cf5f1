// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/io/number.hpp>
#include <ado/bench/stream/memory_need.hpp>
#include <ado/bench/stream/slices.hpp>
#include <ado/core/checks.hpp>
#include <ado/core/error.hpp>

#include <algorithm>
#include <cmath>

namespace ado::bench {
namespace {

/// A run of it takes minutes; more is a typo in an exponent.
constexpr double most_streamed_bytes = 0x1p43;

/// Longer slices are multiples of this, as kernels like them.
constexpr std::size_t even = 64;

/// Bytes of a part's inputs that are cut and for which `counts` is true.
template <class Counts>
std::size_t input_bytes(const Slices& slices, const Problem& part, const Counts& counts) {
  const auto specs = part.algorithm->arrays(part.shape);
  std::size_t bytes = 0;
  for (std::size_t k = 0; k + 1 < specs.size(); ++k)
    if (slices.is_cut(k) && counts(k))
      bytes += element_count(specs[k]) * size_of(slices.problem.type);
  return bytes;
}

bool all_of(std::size_t) { return true; }

/// Device memory for the slots of such a slice and the arrays that are not cut.
std::size_t device_bytes(const Slices& slices, const Problem& part,
                         const std::vector<const Variant*>& variants) {
  const auto specs = part.algorithm->arrays(part.shape);
  std::size_t once = 0, slot = 0, workspace = 0;
  for (std::size_t k = 0; k < specs.size(); ++k)
    (slices.is_cut(k) || specs[k].output ? slot : once) += image_bytes(specs[k], part.type);
  for (const Variant* variant : variants)
    if (variant->workspace_bytes != nullptr && variant->types.contains(part.type))
      workspace = std::max(workspace, variant->workspace_bytes(part.shape, part.type));
  return once + Slices::slots * (slot + workspace + guard_bytes);
}

/// The longest slice of at most `most` that fits, at least 1.
std::size_t fitting_length(const Slices& slices, std::size_t most, std::size_t bytes,
                           const std::vector<const Variant*>& variants) {
  if (device_bytes(slices, slices.part(most), variants) <= bytes) return most;
  std::size_t fits = 1, too_long = most;
  while (too_long - fits > 1) {
    const std::size_t between = fits + (too_long - fits) / 2;
    (device_bytes(slices, slices.part(between), variants) <= bytes ? fits : too_long) = between;
  }
  return fits;
}

/// Variants whose workspaces fit beside slices of 1; the others fail alone.
std::vector<const Variant*> fitting_variants(const Slices& slices, std::size_t bytes,
                                             const std::vector<const Variant*>& variants) {
  std::vector<const Variant*> fitting;
  for (const Variant* variant : variants)
    if (device_bytes(slices, slices.part(1), {variant}) <= bytes) fitting.push_back(variant);
  return fitting;
}

std::string_view cut_size(const Problem& problem) {
  return problem.algorithm->sizes[static_cast<std::size_t>(problem.algorithm->slicing->size)].name;
}

void check_fits(const Slices& slices, const StreamLimits& limits) {
  const std::size_t needed = device_bytes(slices, slices.largest(), {});
  if (needed <= limits.device_bytes) return;
  throw Error("out of memory: slices of 1 of its " + std::string(cut_size(slices.problem)) +
              " need " + bytes_text(static_cast<double>(needed)) + " on the device, " +
              bytes_text(static_cast<double>(limits.device_bytes)) +
              " are there; make the other sizes smaller, or --device-memory larger");
}

/// Length of parts of `total` that are as equal as possible and no longer than `most`.
std::size_t equal_part(std::size_t total, std::size_t most) {
  if (total <= most) return total;
  if (most <= even) return ceil_div(total, ceil_div(total, most));
  most -= most % even;
  return round_up(ceil_div(total, ceil_div(total, most)), even);
}

/// Turns slices whose outputs would be short rows into blocks, at most `most` long and as square as
/// possible: that makes the shorter of incoming and outgoing rows longest.
void cut_across(Slices& slices, std::size_t most, const StreamLimits& limits,
                const std::vector<const Variant*>& variants) {
  const std::size_t columns = slices.total_across(), elements = slices.length * columns;
  const std::size_t row_bytes = slices.length * size_of(slices.problem.type);
  const auto side = static_cast<std::size_t>(std::sqrt(static_cast<double>(elements)));
  most = std::min({most, side, slices.total()});
  if (slices.slicing().across == Slicing::whole || row_bytes >= limits.row_bytes ||
      most <= slices.length)
    return;
  Slices blocks = slices;
  blocks.length = equal_part(slices.total(), most);
  blocks.width = equal_part(columns, elements / blocks.length);
  if (std::min(blocks.length, blocks.width) > slices.length &&
      device_bytes(blocks, blocks.largest(), variants) <= limits.device_bytes)
    slices = blocks;
}

} // namespace

StreamLimits stream_limits(const Device& device, std::size_t host_bytes) {
  constexpr std::size_t most = std::size_t{16} << 30;
  return {.device_bytes =
              device.memory_cap.value_or(device.memory_bytes - device.memory_bytes / 16),
          .host_bytes = std::min(most, host_bytes / 4)};
}

bool is_streamed(const Problem& problem, const Device& device) {
  if (!problem.algorithm->slicing || problem.row_padding > 0 ||
      (device.on_host && !device.memory_cap))
    return false;
  const std::size_t most = device.memory_cap.value_or(device.memory_bytes);
  const double needed = memory_need(problem);
  return needed > static_cast<double>(most) && needed <= most_streamed_bytes;
}

std::size_t Slices::total_across() const {
  const int size = slicing().across;
  return size == Slicing::whole ? 1 : problem.shape[static_cast<std::size_t>(size)];
}

std::size_t Slices::across() const { return width == 0 ? 1 : ceil_div(total_across(), width); }

std::size_t Slices::length_of(std::size_t k) const { return std::min(length, total() - first(k)); }

std::size_t Slices::width_of(std::size_t k) const {
  return std::min(width, total_across() - first_across(k));
}

std::array<std::size_t, 4> Slices::corners() const {
  return {0, across() - 1, count - across(), count - 1};
}

Problem Slices::part(std::size_t length_of_part, std::size_t width_of_part) const {
  Problem part = problem;
  part.shape[static_cast<std::size_t>(slicing().size)] = length_of_part;
  if (width_of_part > 0) part.shape[static_cast<std::size_t>(slicing().across)] = width_of_part;
  return part;
}

Slices cut_into_slices(const Problem& problem, const StreamLimits& limits,
                       const std::vector<Source>& sources,
                       const std::vector<const Variant*>& variants) {
  constexpr std::size_t least_bytes = std::size_t{32} << 20, most_slices = 64;
  const auto is = [&](Source source) {
    return [&sources, source](std::size_t k) {
      return (sources.empty() ? Source::made : sources[k]) == source;
    };
  };
  Slices slices{problem};
  const std::size_t total = slices.total();
  const std::size_t step = input_bytes(slices, slices.part(1), all_of);
  const std::size_t made = input_bytes(slices, slices.part(1), is(Source::made));
  const bool held = input_bytes(slices, slices.part(1), is(Source::held)) > 0;
  const bool repeats = !held && made > 0 && total > limits.host_bytes / made;
  const std::size_t in_memory = repeats ? limits.host_bytes / made : total;
  const std::vector<const Variant*> fitting =
      fitting_variants(slices, limits.device_bytes, variants);
  std::size_t length = std::max(total, std::size_t{1});
  if (step > 0)
    length =
        std::min(length, std::clamp(step * total / most_slices,
                                    std::min(least_bytes, limits.slice_bytes), limits.slice_bytes) /
                             step);
  // A slice must not find in its slot what one with the same data left there.
  if (repeats) length = std::min(length, in_memory / (Slices::slots + 1));
  length = fitting_length(slices, std::max(length, std::size_t{1}), limits.device_bytes, fitting);
  if (length > even && length < total) length -= length % even;
  slices.length = length;
  if (input_bytes(slices, slices.part(1), is(Source::read)) == 0)
    cut_across(slices, repeats ? in_memory / 2 : total, limits, fitting);
  slices.count = ceil_div(total, slices.length) * slices.across();
  slices.period = slices.count;
  if (repeats)
    slices.period = std::min(
        slices.count,
        std::max(in_memory / slices.length, Slices::slots / slices.across() + 1) * slices.across());
  check_fits(slices, limits);
  return slices;
}

std::size_t slice_bytes(const Slices& slices) {
  return input_bytes(slices, slices.largest(), all_of);
}

StreamFacts planned_facts(const Slices& slices) {
  return {.slices = slices.count, .slice_bytes = slice_bytes(slices), .period = slices.period};
}

std::string stream_note(const StreamFacts& facts) {
  std::string text = "streamed: " + counted(facts.slices, "slice") + " of " +
                     bytes_text(static_cast<double>(facts.slice_bytes));
  if (facts.reads_files) text += " from files";
  if (facts.device_bytes > 0)
    text += ", " + bytes_text(static_cast<double>(facts.device_bytes)) + " on the device";
  if (facts.period < facts.slices)
    text += ", made data repeats after " + std::to_string(facts.period);
  return text;
}

} // namespace ado::bench
