// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/core/checks.hpp>
#include <ado/core/elements.hpp>
#include <ado/harness/host_memory.hpp>
#include <ado/harness/workbench.hpp>

#include <array>
#include <chrono>
#include <cstring>

namespace ado {
namespace {

/// Bytes before and after every array that belong to nobody.
constexpr std::size_t guard_bytes = 256;
/// NaN for float and for double.
constexpr std::uint64_t workspace_pattern = 0x7ff8bad07fc0bad0u;

class Region {
public:
  Region(Device& device, const std::string& name) : device_(device) { device_.begin_region(name); }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
  ~Region() { device_.end_region(); }

private:
  Device& device_;
};

/// The array inside an allocation of image_bytes().
Array array_in(void* image, const ArraySpec& spec, Type type, const Placement& placement) {
  Array array = packed_array(nullptr, spec.extent);
  if (spec.rank >= 2) { // the stride of the rows grows, and with it those above
    const int row = spec.rank - 2;
    array.stride[row] += placement.padding;
    if (spec.rank == 3) array.stride[0] = spec.extent[1] * array.stride[1] + placement.padding;
  }
  array.data = static_cast<std::byte*>(image) + guard_bytes + placement.offset * size_of(type);
  return array;
}

} // namespace

std::string region_name(const Variant& variant) {
  return "ado::" + std::string(variant.algorithm) + "[" + std::string(variant.name) + "]";
}

std::size_t image_bytes(const ArraySpec& spec, Type type, const Placement& placement) {
  const std::string what = "array " + std::string(spec.name);
  Extents extent = spec.extent;
  if (spec.rank >= 2) extent[spec.rank - 1] += placement.padding;
  if (spec.rank == 3) extent[1] += 1; // room for the padding between sets
  const std::size_t bytes =
      checked_product({extent[0], extent[1], extent[2], size_of(type)}, what.c_str());
  constexpr std::size_t most = static_cast<std::size_t>(-1) / 4;
  if (bytes > most) throw OutOfMemory(what, bytes);
  return round_up(bytes + placement.offset * size_of(type), 8) + 2 * guard_bytes;
}

HostData::HostData(const Problem& problem, Placement placement)
    : problem_(problem), placement_(placement), specs_(problem.algorithm->arrays(problem.shape)) {
  for (const ArraySpec& spec : specs_) // all sizes before any memory
    image_bytes_.push_back(ado::image_bytes(spec, problem.type, placement));
  for (std::size_t k = 0; k < input_count(); ++k) {
    images_.push_back(allocate_on_host(image_bytes_[k], std::string(specs_[k].name)));
    arrays_.push_back(array_in(images_[k].get(), specs_[k], problem.type, placement));
  }
}

void HostData::make(DataKind kind, std::uint64_t seed) {
  for (std::size_t k = 0; k < input_count(); ++k)
    fill_data(image(k), problem_.type, image_bytes(k) / size_of(problem_.type), kind, seed,
              specs_[k].name);
  oracle_.reset();
}

const Oracle& HostData::oracle() const {
  if (!oracle_) oracle_ = problem_.algorithm->oracle(problem_.type, problem_.shape, arrays_);
  return *oracle_;
}

Workbench::Workbench(Device& device, const HostData& data, std::size_t output_count)
    : device_(device),
      data_(data),
      in_place_(device.on_host || data.problem().algorithm->host_arrays) {
  const Type type = data.problem().type;
  for (std::size_t k = 0; k < data.input_count(); ++k) {
    void* image = data.image(k);
    if (!in_place_) {
      input_images_.push_back(
          device.allocate(data.image_bytes(k), std::string(data.specs()[k].name)));
      image = input_images_.back().get();
      device.copy_in(image, data.image(k), data.image_bytes(k));
    }
    inputs_.push_back(array_in(image, data.specs()[k], type, data.placement()));
    checksums_.push_back(checksum(image, data.image_bytes(k)));
  }
  const ArraySpec& spec = data.specs().back();
  output_bytes_ = image_bytes(spec, type, data.placement());
  for (std::size_t slot = 0; slot < output_count; ++slot) {
    Output output;
    const std::string label(spec.name);
    output.image =
        in_place_ ? allocate_on_host(output_bytes_, label) : device.allocate(output_bytes_, label);
    output.device = array_in(output.image.get(), spec, type, data.placement());
    output.host = output.device;
    if (!in_place_) {
      output.host_image = allocate_on_host(output_bytes_, label);
      output.host = array_in(output.host_image.get(), spec, type, data.placement());
    }
    outputs_.push_back(std::move(output));
  }
}

/// The pattern is that of workspaces.
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
    return bytes == nullptr ? 0 : bytes(data_.problem().shape, data_.problem().type);
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
  device_.fence(); // what ran before may still copy from it, and the next run may use other streams
  host_fill(staging.memory.get(), round_up(staging.end, 8) + guard_bytes, workspace_pattern);
}

bool Workbench::overran_workspace() {
  std::array<std::byte, guard_bytes> guard;
  const auto* pattern_bytes = reinterpret_cast<const std::byte*>(&workspace_pattern);
  for (const Scratch* scratch : {&workspace_, &locked_, &pageable_}) {
    if (!scratch->memory) continue;
    const auto* end = static_cast<const std::byte*>(scratch->memory.get()) + scratch->end;
    if (scratch == &workspace_)
      device_.copy_out(guard.data(), end, guard.size());
    else
      std::memcpy(guard.data(), end, guard.size());
    for (std::size_t k = 0; k < guard.size(); ++k)
      if (guard[k] != pattern_bytes[(scratch->end + k) % 8]) return true;
  }
  return false;
}

/// Of arrays.
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
            .shape = data_.problem().shape,
            .arrays = {},
            .workspace = workspace_.memory.get(),
            .queue = device_.queue,
            .launch = launch,
            .staging = (variant.pageable_staging ? pageable_ : locked_).memory.get()};
  for (std::size_t k = 0; k < inputs_.size(); ++k)
    call.arrays[k] = inputs_[k];
  call.arrays[inputs_.size()] = outputs_[slot].device;
  return call;
}

/// Made once: this stands in timed runs.
const std::string& Workbench::region_of(const Variant& variant) {
  std::string& name = regions_[&variant];
  if (name.empty()) name = region_name(variant);
  return name;
}

void Workbench::run(const Variant& variant, std::size_t slot, const Launch& launch,
                    StageRecorder* stages) {
  const Region region(device_, region_of(variant));
  Call call = call_of(variant, slot, launch);
  call.stages = stages;
  variant.run(call);
  device_.check_launch(variant.name);
}

std::uint64_t Workbench::pattern(unsigned turn) const {
  const TypeInfo& type = info(data_.problem().type);
  if (!type.floating) return turn % 2 == 0 ? 0xa5a5a5a5a5a5a5a5u : 0x5a5a5a5a5a5a5a5au;
  return type.unit_roundoff == 0x1p-24 ? 0x7fc0ad007fc0ad00u : 0x7ff8ad007fc0ad00u;
}

void Workbench::prepare(const Variant& variant, std::size_t slot, unsigned turn) {
  if (variant.prepare != nullptr) variant.prepare(call_of(variant, slot, {}));
  outputs_[slot].pattern = pattern(turn);
  fill(outputs_[slot].image.get(), output_bytes_, outputs_[slot].pattern);
}

void Workbench::empty_caches() {
  constexpr std::size_t least = std::size_t{64} << 20;
  const std::size_t bytes = std::max(least, 2 * device_.last_level_cache);
  const std::size_t count = round_up(bytes / sizeof(double), Device::read_row);
  if (!other_data_) {
    other_sums_ = device_.allocate(device_.ceiling_result_bytes(count), "cold cache: sums");
    other_data_ = device_.allocate(count * sizeof(double), "cold cache: other data");
    device_.fill(other_data_.get(), count * sizeof(double), 0);
  }
  device_.read_all(static_cast<const double*>(other_data_.get()), count,
                   static_cast<double*>(other_sums_.get()));
}

Check Workbench::verify(std::size_t slot, double rounding_steps) {
  Output& output = outputs_[slot];
  device_.fence();
  if (!in_place_) device_.copy_out(output.host_image.get(), output.image.get(), output_bytes_);
  Check check = data_.oracle().check(output.host, rounding_steps);
  for (const std::string& damage : {damaged_guard(output), unwritten_element(output)}) {
    if (damage.empty()) continue;
    check.first_wrong = damage; // it says more than the wrong value that it may have caused
    check.ok = false;
    ++check.wrong;
  }
  return check;
}

/// Every byte of the image that is not the array's must still hold the pattern.
std::string Workbench::damaged_guard(const Output& output) const {
  const auto* image =
      static_cast<const std::byte*>(in_place_ ? output.image.get() : output.host_image.get());
  const Array& array = output.host;
  const std::size_t element = size_of(data_.problem().type);
  const auto intact = [&](std::size_t first, std::size_t last) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&output.pattern);
    for (std::size_t k = first; k < last; ++k)
      if (image[k] != bytes[k % 8]) return false;
    return true;
  };
  const ArraySpec& spec = data_.specs().back();
  std::size_t row_count = 1, row_bytes = element, row_stride = element;
  if (spec.rank >= 1) row_bytes *= spec.extent[spec.rank - 1];
  if (spec.rank == 2) {
    row_count = spec.extent[0];
    row_stride = array.stride[0] * element;
  }
  const auto start = static_cast<std::size_t>(static_cast<const std::byte*>(array.data) - image);
  if (!intact(0, start)) return "memory before the output was overwritten";
  std::size_t end = start;
  for (std::size_t row = 0; row < row_count && row_bytes != 0; ++row) {
    if (row > 0 && !intact(end, start + row * row_stride))
      return "memory between the output's rows was overwritten, before row " + std::to_string(row);
    end = start + row * row_stride + row_bytes;
  }
  return intact(end, output_bytes_) ? "" : "memory behind the output was overwritten";
}

/// A floating-point element that still holds the poison was not written. For integers, the two
/// patterns by turn do the same: a result cannot equal both.
std::string Workbench::unwritten_element(const Output& output) const {
  const TypeInfo& type = info(data_.problem().type);
  if (!type.floating) return "";
  const Array& array = output.host;
  std::string found;
  with_element(type.bytes, [&](auto element) {
    using E = decltype(element);
    E poison;
    const std::uint64_t words[2] = {output.pattern, output.pattern};
    std::memcpy(&poison, words, sizeof poison);
    for (std::size_t i = 0; i < array.extent[0]; ++i)
      for (std::size_t j = 0; j < array.extent[1] && found.empty(); ++j)
        if (array.as<const E>()[i * array.stride[0] + j] == poison)
          found = "[" + std::to_string(i) + "][" + std::to_string(j) + "] was not written";
  });
  return found;
}

std::uint64_t Workbench::output_checksum(std::size_t slot) {
  return checksum(outputs_[slot].image.get(), output_bytes_);
}

std::string Workbench::changed_input() {
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    const void* image = in_place_ ? data_.image(k) : input_images_[k].get();
    if (checksum(image, data_.image_bytes(k)) != checksums_[k])
      return std::string(data_.specs()[k].name);
  }
  return "";
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
  Output& output = outputs_[slot];
  if (!in_place_) device_.copy_out(output.host_image.get(), output.image.get(), output_bytes_);
  device_.fence();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

} // namespace ado
