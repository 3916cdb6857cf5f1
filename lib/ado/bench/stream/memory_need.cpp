// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/io/number.hpp>
#include <ado/bench/stream/memory_need.hpp>
#include <ado/bench/stream/slices.hpp>
#include <ado/core/error.hpp>

namespace ado::bench {
namespace {

double bytes_of(const ArraySpec& spec, const Problem& problem) {
  const auto rows = static_cast<double>(spec.extent[0] * (spec.rank == 3 ? spec.extent[1] : 1));
  const double gaps = spec.rank < 2 ? 0 : rows * static_cast<double>(problem.row_padding);
  return (static_cast<double>(element_count(spec)) + gaps) *
         static_cast<double>(size_of(spec.type(problem.type)));
}

/// Why arrays that are too large are not cut into slices.
std::string why_whole(const Problem& problem) {
  return problem.row_padding > 0 ? ", and with --row-padding it is not streamed"
                                 : ", and it cannot be streamed";
}

/// For a case in slices: one of them must fit the device, and the outputs the host.
std::string stream_shortage(const Problem& problem, const Device& device,
                            const std::vector<const Variant*>& variants, std::size_t host_bytes) {
  try {
    const Slices slices = cut_into_slices(problem, stream_limits(device, host_bytes), {}, variants);
    const auto specs = slices.of_period().algorithm->arrays(slices.of_period().shape);
    double needed = 2 * static_cast<double>(image_bytes(
                            problem.algorithm->arrays(problem.shape).back(), problem.type));
    for (const ArraySpec& spec : specs)
      if (!spec.output) needed += static_cast<double>(image_bytes(spec, problem.type));
    const auto free = static_cast<double>(host_bytes);
    if (needed <= free) return "";
    return "out of memory: a period of its inputs and its outputs need " + bytes_text(needed) +
           " on the host, " + bytes_text(free) + " are free";
  } catch (const Error& error) {
    return error.what();
  }
}

} // namespace

double memory_need(const Problem& problem) {
  double bytes = 0;
  for (const ArraySpec& spec : problem.algorithm->arrays(problem.shape))
    bytes += (spec.output ? 2 : 1) * bytes_of(spec, problem);
  return bytes;
}

std::string memory_shortage(const Problem& problem, const Device& device,
                            const std::vector<const Variant*>& variants, std::size_t host_bytes) {
  const double needed = memory_need(problem);
  const auto shortage = [&](std::size_t free, const char* are, const char* where) {
    if (needed <= static_cast<double>(free)) return std::string();
    return "out of memory: its arrays need " + number("%.1f GB, ", needed / 1e9) +
           number("%.1f GB are ", static_cast<double>(free) / 1e9) + are + where;
  };
  if (is_streamed(problem, device)) return stream_shortage(problem, device, variants, host_bytes);
  if (device.memory_cap && !problem.algorithm->host_arrays)
    if (std::string why = shortage(*device.memory_cap, "allowed", " by --device-memory");
        !why.empty())
      return why + why_whole(problem);
  if (!device.on_host && !problem.algorithm->host_arrays)
    if (std::string why = shortage(device.memory_bytes, "free", " on the GPU"); !why.empty())
      return why + why_whole(problem);
  return shortage(host_bytes, "free", device.on_host ? "" : " on the host");
}

bool moves_data(const Problem& problem, const Device& device) {
  return problem.algorithm->host_arrays || is_streamed(problem, device);
}

} // namespace ado::bench
