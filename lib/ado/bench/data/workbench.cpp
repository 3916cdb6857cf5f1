// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/data/with_denormals.hpp>
#include <ado/bench/data/workbench.hpp>
#include <ado/bench/device/host_memory.hpp>
#include <ado/core/checks.hpp>

#include <array>
#include <chrono>
#include <cstring>
#include <stdexcept>

namespace ado::bench {

Workbench::Workbench(Device& device, const HostData& data, std::size_t slots)
    : Bench(device),
      data_(data),
      in_place_(device.on_host || data.problem().algorithm->host_arrays),
      slots_(slots) {
  const Type type = data.problem().type;
  for (std::size_t k = 0; k < data.input_count(); ++k) {
    void* image = data.image(k);
    if (!in_place_) {
      input_images_.push_back(
          device.allocate(data.image_bytes(k), std::string(data.specs()[k].name)));
      image = input_images_.back().get();
    }
    inputs_.push_back(array_in(image, data.specs()[k], type, data.placements().input[k]));
  }
  renew_inputs();
  for (std::vector<Output>& outputs : slots_)
    for (std::size_t k = data.input_count(); k < data.specs().size(); ++k)
      outputs.push_back(make_output(data.specs()[k]));
}

Workbench::Output Workbench::make_output(const ArraySpec& spec) {
  const Type type = data_.problem().type;
  const Placement& placement = data_.placements().output;
  const std::string label(spec.name);
  Output output{spec.name, spec.type(type), image_bytes(spec, type, placement)};
  output.image =
      in_place_ ? allocate_on_host(output.bytes, label) : device_.allocate(output.bytes, label);
  output.device = array_in(output.image.get(), spec, type, placement);
  output.host = output.device;
  if (!in_place_) {
    output.host_image = allocate_on_host(output.bytes, label);
    output.host = array_in(output.host_image.get(), spec, type, placement);
  }
  return output;
}

void Workbench::renew_inputs() {
  checksums_.clear();
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    const std::size_t bytes = data_.image_bytes(k);
    if (!in_place_) device_.copy_in(input_image(k), data_.image(k), bytes);
    checksums_.push_back(checksum(input_image(k), bytes));
  }
}

double Workbench::rounding_steps(const Variant& variant, const Launch& launch) const {
  return variant.rounding_steps(data_.problem().shape, data_.problem().type, launch);
}

/// The guard has the pattern of workspaces.
template <class Allocate>
void Workbench::reserve(Scratch& scratch, std::size_t bytes, const Allocate& allocate) {
  const std::size_t needed = round_up(bytes, 8) + guard_bytes;
  if (needed < bytes) throw OutOfMemory("workspace", bytes);
  if (needed > scratch.bytes) {
    scratch.memory = allocate(needed);
    scratch.bytes = needed;
  }
  scratch.end = bytes;
}

void Workbench::reserve_workspace(const Variant& variant) {
  const auto bytes_of = [&](std::size_t (*bytes)(const Shape&, Type)) {
    return bytes == nullptr ? 0 : bytes(data_.problem().given_shape(), data_.problem().type);
  };
  reserve(workspace_, bytes_of(variant.workspace_bytes),
          [&](std::size_t bytes) { return device_.allocate(bytes, "workspace"); });
  device_.fill(workspace_.memory.get(), round_up(workspace_.end, 8) + guard_bytes,
               workspace_pattern);
  if (variant.staging_bytes == nullptr) return;
  Scratch& staging = variant.pageable_staging ? pageable_ : locked_;
  reserve(staging, bytes_of(variant.staging_bytes), [&](std::size_t bytes) {
    return variant.pageable_staging ? allocate_on_host(bytes, "staging memory")
                                    : device_.allocate_staging(bytes, "staging memory");
  });
  device_.fence(); // earlier runs may still copy from it, and the next may use other streams
  host_fill(staging.memory.get(), round_up(staging.end, 8) + guard_bytes, workspace_pattern);
}

bool Workbench::overran_workspace() {
  std::array<std::byte, guard_bytes> guard;
  for (const Scratch* scratch : {&workspace_, &locked_, &pageable_}) {
    if (!scratch->memory) continue;
    const auto* end = static_cast<const std::byte*>(scratch->memory.get()) + scratch->end;
    if (scratch == &workspace_)
      device_.copy_out(guard.data(), end, guard.size());
    else
      std::memcpy(guard.data(), end, guard.size());
    if (!holds(guard.data(), guard.size(), scratch->end, workspace_pattern)) return true;
  }
  return false;
}

/// Fills memory of arrays.
void Workbench::fill(void* memory, std::size_t bytes, std::uint64_t pattern) {
  if (data_.problem().algorithm->host_arrays)
    host_fill(memory, bytes, pattern);
  else
    device_.fill(memory, bytes, pattern);
}
std::uint64_t Workbench::checksum(const void* memory, std::size_t bytes) {
  return data_.problem().algorithm->host_arrays ? host_checksum(memory, bytes)
                                                : device_.checksum(memory, bytes);
}

Call Workbench::call_of(const Variant& variant, std::size_t slot, const Launch& launch) const {
  Call call{.type = data_.problem().type,
            .shape = data_.problem().given_shape(),
            .arrays = {},
            .workspace = workspace_.memory.get(),
            .queue = device_.queue,
            .launch = launch,
            .staging = (variant.pageable_staging ? pageable_ : locked_).memory.get()};
  if (const auto part = data_.problem().part()) {
    call.before = part->first;
    call.behind = data_.problem().shape[0] - part->first - part->count;
  }
  for (std::size_t k = 0; k < inputs_.size(); ++k)
    call.arrays[k] = inputs_[k];
  for (std::size_t k = 0; k < slots_[slot].size(); ++k)
    call.arrays[inputs_.size() + k] = slots_[slot][k].device;
  return call;
}

void Workbench::run(const Variant& variant, std::size_t slot, const Launch& launch,
                    StageRecorder* stages) {
  const Region region(*this, variant);
  Call call = call_of(variant, slot, launch);
  call.stages = stages;
  variant.run(call);
  device_.check_launch(variant.name);
}

void Workbench::prepare(const Variant& variant, std::size_t slot, unsigned turn) {
  if (variant.prepare != nullptr) variant.prepare(call_of(variant, slot, {}));
  for (Output& output : slots_[slot]) {
    output.pattern = poison(output.type, turn);
    fill(output.image.get(), output.bytes, output.pattern);
  }
}

void Workbench::copy_out(Output& output) {
  if (!in_place_) device_.copy_out(output.host_image.get(), output.image.get(), output.bytes);
  output.on_host = true;
}

/// All but its guards.
Check Workbench::check(Output& output, const Oracle& oracle, const Tolerance& tolerance) {
  copy_out(output);
  const WithDenormals denormals;
  Check check = oracle.check(output.host, tolerance);
  add_unwritten(check, output.host, output.type, output.pattern);
  return check;
}

Check Workbench::verify(std::size_t slot, Tolerance tolerance) {
  tolerance.random_data = data_.is_random();
  device_.fence();
  const Oracle& oracle = data_.oracle();
  std::vector<Output>& outputs = slots_[slot];
  const auto name = [&](const Output& output) {
    return outputs.size() == 1 ? "" : std::string(output.name) + ": ";
  };
  Check all;
  for (std::size_t k = 0; k < outputs.size(); ++k)
    merge(all, check(outputs[k], oracle.of_output(k), tolerance), name(outputs[k]));
  for (const Output& output : outputs)
    if (const std::string damage = damaged_guard(output); !damage.empty())
      add_damage(all, name(output) + damage);
  return all;
}

const Array& Workbench::host_output(std::size_t slot, std::size_t k) const {
  if (!slots_[slot][k].on_host)
    throw std::logic_error("Workbench::host_output: this output was not copied to the host yet");
  return slots_[slot][k].host;
}

/// Every byte of the image that is not the array's must still hold the pattern.
std::string Workbench::damaged_guard(const Output& output) const {
  const auto* image =
      static_cast<const std::byte*>(in_place_ ? output.image.get() : output.host_image.get());
  const Array& array = output.host;
  const std::size_t element = size_of(output.type);
  const auto intact = [&](std::size_t first, std::size_t last) {
    return holds(image + first, last - first, first, output.pattern);
  };
  const ArrayRows rows(array);
  const auto start = static_cast<std::size_t>(static_cast<const std::byte*>(array.data) - image);
  if (!intact(0, start)) return "memory before the output was overwritten";
  std::size_t end = start;
  for (std::size_t row = 0; row < rows.count && rows.length != 0; ++row) {
    const std::size_t here = start + rows.start(row) * element;
    if (row > 0 && !intact(end, here))
      return "memory between the output's rows was overwritten, before row " + std::to_string(row);
    end = here + rows.length * element;
  }
  return intact(end, output.bytes) ? "" : "memory behind the output was overwritten";
}

std::uint64_t Workbench::output_checksum(std::size_t slot) {
  std::uint64_t sum = 0;
  for (const Output& output : slots_[slot])
    sum = 3 * sum + checksum(output.image.get(), output.bytes);
  return sum;
}

std::string Workbench::changed_input() {
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    if (checksum(input_image(k), data_.image_bytes(k)) != checksums_[k])
      return std::string(data_.specs()[k].name);
  }
  return "";
}

void Workbench::negate_input(std::size_t input) {
  const std::uint64_t signs =
      data_.problem().type == Type::f32 ? 0x8000000080000000u : 0x8000000000000000u;
  void* const image = input_image(input);
  const std::size_t bytes = data_.image_bytes(input);
  if (data_.problem().algorithm->host_arrays)
    host_flip(image, bytes, signs);
  else
    device_.flip(image, bytes, signs);
  checksums_[input] = checksum(image, bytes);
}

double Workbench::seconds_with_transfers(const Variant& variant, std::size_t slot,
                                         const Launch& launch) {
  using Clock = std::chrono::steady_clock;
  if (variant.prepare != nullptr) variant.prepare(call_of(variant, slot, launch));
  device_.fence();
  const auto start = Clock::now();
  for (std::size_t k = 0; k < input_images_.size(); ++k)
    device_.copy_in(input_images_[k].get(), data_.image(k), data_.image_bytes(k));
  run(variant, slot, launch);
  for (Output& output : slots_[slot])
    copy_out(output);
  device_.fence();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

} // namespace ado::bench
