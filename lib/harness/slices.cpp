// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/core/checks.hpp>
#include <ado/core/error.hpp>
#include <ado/harness/memory_need.hpp>
#include <ado/harness/number.hpp>
#include <ado/harness/slices.hpp>

#include <algorithm>

namespace ado {
namespace {

/// A run of it takes minutes; more is a mistaken exponent.
constexpr double most_streamed_bytes = 0x1p43;

/// Bytes of the inputs for which `counts` says so, for one step of the size that is cut.
template <class Counts>
std::size_t step_bytes(const Slices& slices, const Counts& counts) {
  const auto specs = slices.problem.algorithm->arrays(slices.part(1).shape);
  std::size_t bytes = 0;
  for (std::size_t k = 0; k + 1 < specs.size(); ++k)
    if (slices.is_cut(k) && counts(k))
      bytes += element_count(specs[k]) * size_of(slices.problem.type);
  return bytes;
}

/// What slots of that length and the arrays that are not cut take on the device.
std::size_t device_bytes(const Slices& slices, std::size_t length,
                         const std::vector<const Variant*>& variants) {
  const Problem part = slices.part(length);
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
  if (device_bytes(slices, most, variants) <= bytes) return most;
  std::size_t fits = 1, too_long = most;
  while (too_long - fits > 1) {
    const std::size_t between = fits + (too_long - fits) / 2;
    (device_bytes(slices, between, variants) <= bytes ? fits : too_long) = between;
  }
  return fits;
}

/// Those whose workspaces fit with slices of 1; the others fail alone.
std::vector<const Variant*> fitting_variants(const Slices& slices, std::size_t bytes,
                                             const std::vector<const Variant*>& variants) {
  std::vector<const Variant*> fitting;
  for (const Variant* variant : variants)
    if (device_bytes(slices, 1, {variant}) <= bytes) fitting.push_back(variant);
  return fitting;
}

std::string_view cut_size(const Problem& problem) {
  return problem.algorithm->sizes[static_cast<std::size_t>(problem.algorithm->slicing->size)].name;
}

void check_fits(const Slices& slices, const StreamLimits& limits) {
  const std::size_t needed = device_bytes(slices, slices.length, {});
  if (needed <= limits.device_bytes) return;
  throw Error("out of memory: slices of 1 of its " + std::string(cut_size(slices.problem)) +
              " need " + bytes_text(static_cast<double>(needed)) + " on the device, " +
              bytes_text(static_cast<double>(limits.device_bytes)) +
              " are there; make the other sizes smaller, or --device-memory larger");
}

} // namespace

StreamLimits stream_limits(const Device& device, std::size_t host_bytes) {
  constexpr std::size_t most = std::size_t{16} << 30;
  return {.device_bytes =
              device.memory_cap.value_or(device.memory_bytes - device.memory_bytes / 16),
          .host_bytes = std::min(most, host_bytes / 4)};
}

bool is_streamed(const Problem& problem, const Device& device) {
  if (!problem.algorithm->slicing || (device.on_host && !device.memory_cap)) return false;
  const std::size_t most = device.memory_cap.value_or(device.memory_bytes);
  const double needed = memory_need(problem);
  return needed > static_cast<double>(most) && needed <= most_streamed_bytes;
}

std::size_t Slices::length_of(std::size_t k) const { return std::min(length, total() - first(k)); }

Problem Slices::part(std::size_t length_of_part) const {
  Problem part = problem;
  part.shape[static_cast<std::size_t>(slicing().size)] = length_of_part;
  return part;
}

Slices cut_into_slices(const Problem& problem, const StreamLimits& limits,
                       const std::vector<Source>& sources,
                       const std::vector<const Variant*>& variants) {
  constexpr std::size_t least_bytes = std::size_t{32} << 20, most_slices = 64, even = 64;
  const auto is = [&](Source source) {
    return [&sources, source](std::size_t k) {
      return (sources.empty() ? Source::made : sources[k]) == source;
    };
  };
  Slices slices{problem};
  const std::size_t total = slices.total();
  const std::size_t step = step_bytes(slices, [](std::size_t) { return true; });
  const std::size_t made = step_bytes(slices, is(Source::made));
  const bool held = step_bytes(slices, is(Source::held)) > 0;
  const bool repeats = !held && made > 0 && total > limits.host_bytes / made;
  std::size_t length = std::max(total, std::size_t{1});
  if (step > 0)
    length =
        std::min(length, std::clamp(step * total / most_slices,
                                    std::min(least_bytes, limits.slice_bytes), limits.slice_bytes) /
                             step);
  // A slice must not find in its slot what one with the same data left there.
  if (repeats) length = std::min(length, limits.host_bytes / made / (Slices::slots + 1));
  length = fitting_length(slices, std::max(length, std::size_t{1}), limits.device_bytes,
                          fitting_variants(slices, limits.device_bytes, variants));
  if (length > even && length < total) length -= length % even; // as kernels like them
  slices.length = length;
  slices.count = ceil_div(total, length);
  slices.period = slices.count;
  if (repeats)
    slices.period =
        std::min(slices.count, std::max(limits.host_bytes / made / length, Slices::slots + 1));
  check_fits(slices, limits);
  return slices;
}

std::size_t slice_bytes(const Slices& slices) {
  return step_bytes(slices, [](std::size_t) { return true; }) * slices.length;
}

StreamFacts planned_facts(const Slices& slices) {
  return {.slices = slices.count, .slice_bytes = slice_bytes(slices), .period = slices.period};
}

std::string stream_note(const StreamFacts& facts) {
  std::string text = "streamed: " + std::to_string(facts.slices) +
                     (facts.slices == 1 ? " slice of " : " slices of ") +
                     bytes_text(static_cast<double>(facts.slice_bytes));
  if (facts.reads_files) text += " from files";
  if (facts.device_bytes > 0)
    text += ", " + bytes_text(static_cast<double>(facts.device_bytes)) + " on the device";
  if (facts.period < facts.slices)
    text += ", made data repeats after " + std::to_string(facts.period);
  return text;
}

} // namespace ado
