// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verification of a stream: each slice by its own oracle, and all memory around and behind it.
#include <ado/bench/data/with_denormals.hpp>
#include <ado/bench/device/host_memory.hpp>
#include <ado/bench/stream/streamed_bench.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace ado::bench {
namespace {

/// "in slice 9, from 4096 of the rows and 512 of the cols on"
std::string place_of(const Slices& slices, std::size_t slice) {
  const auto from = [&](std::size_t first, int size) {
    return std::to_string(first) + " of the " +
           std::string(slices.problem.algorithm->sizes[static_cast<std::size_t>(size)].name);
  };
  std::string text = "in slice " + std::to_string(slice) + ", from " +
                     from(slices.first(slice), slices.slicing().size);
  if (slices.across() > 1)
    text += " and " + from(slices.first_across(slice), slices.slicing().across);
  return text + " on";
}

} // namespace

Check StreamedBench::verify(std::size_t slot, Tolerance tolerance) {
  tolerance.random_data = data_.in_memory().is_random() && !data_.reads_files();
  const Output& output = outputs_[slot];
  changed_ = changed_on_device(); // before files are read again
  const WithDenormals denormals;
  Check check = check_slices(output, tolerance);
  if (slices().slicing().summed)
    merge(check, data_.oracle_of_sum().check(output.array, tolerance), "the sum: ");
  add_unwritten(check, output.array, type(), output.pattern);
  add_damage(check, damaged_guard(output));
  return check;
}

/// Parts of a sum may not use the roundings of adding them.
Check StreamedBench::check_slices(const Output& output, Tolerance tolerance) {
  Check check;
  if (slices().slicing().summed && tolerance.roundings > 0 && slices().count > 0)
    tolerance.roundings -= static_cast<double>(slices().count - 1);
  std::optional<SliceReader> reading = reader(nullptr);
  for (std::size_t slice = 0; slice < slices().count; ++slice) {
    if (reading) reading->wait(slice);
    std::vector<Array> inputs;
    for (std::size_t k = 0; k < data_.input_count(); ++k) {
      auto* data = const_cast<void*>(source(k, slice)); // an Array has no const data
      inputs.push_back(data_.part(k, slice, data));
    }
    merge(check, data_.check(slice, inputs, part_of(output, slice), tolerance),
          place_of(slices(), slice) + ": ");
    if (reading) reading->release(slice);
  }
  return check;
}

/// Guards of the output on the host and of every array on the device.
std::string StreamedBench::damaged_guard(const Output& output) {
  const auto host_guard = [&](std::size_t place) {
    return holds(static_cast<const std::byte*>(output.image.get()) + place, guard_bytes, place,
                 output.pattern);
  };
  if (!host_guard(0)) return "memory before the output was overwritten";
  const std::size_t end = guard_bytes + result_bytes();
  const std::size_t rest = image_bytes(output_spec(), type()) - end;
  if (!holds(static_cast<const std::byte*>(output.image.get()) + end, rest, end, output.pattern))
    return "memory behind the output was overwritten";
  const auto damaged = [&](const DeviceMemory& image, const ArraySpec& spec) {
    return image && !guards_hold(image.get(), element_count(spec) * size_of(type()));
  };
  const Problem part = slices().largest();
  const std::vector<ArraySpec> specs = part.algorithm->arrays(part.shape);
  for (std::size_t k = 0; k < specs.size(); ++k) {
    bool wrong = k < whole_.size() && damaged(whole_[k], specs[k]);
    for (const Slot& slot : slots_)
      wrong = wrong || damaged(slot.images[k], specs[k]);
    if (wrong)
      return "memory beside " + std::string(specs[k].name) + " on the device was overwritten";
  }
  return "";
}

/// The guards before and behind an array of `bytes` on the device.
bool StreamedBench::guards_hold(const void* image, std::size_t bytes) {
  std::array<std::byte, guard_bytes> guard{};
  for (const std::size_t place : {std::size_t{0}, guard_bytes + bytes}) {
    device_.copy_out(guard.data(), static_cast<const std::byte*>(image) + place, guard.size());
    if (!holds(guard.data(), guard.size(), place, pattern_)) return false;
  }
  return true;
}

/// Checks the last slice in each slot and the inputs that all slices use. Returns the name of the
/// first that is not what was copied in, or nothing.
std::string StreamedBench::changed_on_device() {
  for (std::size_t k = 0; k < data_.input_count(); ++k) {
    const std::string name(data_.specs()[k].name);
    if (whole_[k] && slices().count > 0 &&
        !same_on_device(static_cast<const std::byte*>(whole_[k].get()) + guard_bytes,
                        data_.in_memory().input(k).data, data_.rows(k, 0)))
      return name;
    const std::size_t held = std::min(slices().count, Slices::slots);
    for (std::size_t slice = slices().count - held; slice < slices().count; ++slice)
      if (const DeviceMemory& image = slot_of(slice).images[k]; image)
        if (!same_on_device(static_cast<const std::byte*>(image.get()) + guard_bytes,
                            source(k, slice), data_.rows(k, slice)))
          return name;
  }
  return "";
}

/// On the device the rows are packed.
bool StreamedBench::same_on_device(const void* device, const void* host, const HostRows& rows) {
  constexpr std::size_t most = std::size_t{16} << 20;
  const std::size_t bytes = rows.count * rows.bytes;
  std::vector<std::byte> copy(std::min(bytes, most));
  for (std::size_t first = 0; first < bytes; first += copy.size()) {
    const std::size_t end = std::min(first + copy.size(), bytes);
    device_.copy_out(copy.data(), static_cast<const std::byte*>(device) + first, end - first);
    for (std::size_t at = first, next = 0; at < end; at = next) {
      next = std::min(end, (at / rows.bytes + 1) * rows.bytes);
      const auto* row = static_cast<const std::byte*>(host) + at / rows.bytes * rows.pitch;
      if (std::memcmp(copy.data() + (at - first), row + at % rows.bytes, next - at) != 0)
        return false;
    }
  }
  return true;
}

std::uint64_t StreamedBench::output_checksum(std::size_t slot) {
  const Output& output = outputs_[slot];
  std::uint64_t sum = host_checksum(output.image.get(), image_bytes(output_spec(), type()));
  if (output.parts) sum += 3 * host_checksum(output.parts.get(), slices().count * result_bytes());
  return sum;
}

std::string StreamedBench::changed_input() {
  if (!changed_.empty()) return changed_ + " on the device";
  data_.check_files();
  const HostData& memory = data_.in_memory();
  for (std::size_t k = 0; k < data_.input_count(); ++k)
    if (memory.image(k) != nullptr &&
        host_checksum(memory.image(k), memory.image_bytes(k)) != checksums_[k])
      return std::string(data_.specs()[k].name);
  return "";
}

} // namespace ado::bench
