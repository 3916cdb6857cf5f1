// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/data/with_denormals.hpp>
#include <ado/bench/data/workbench.hpp>
#include <ado/bench/device/host_memory.hpp>
#include <ado/bench/io/npy_header.hpp>
#include <ado/core/checks.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace ado::bench {
namespace {

/// Reads a rank's part of an array. In Fortran order it has no long runs, so such a file is read
/// whole.
void read_part(const std::string& path, const NpyHeader& header, const ArraySpec& spec, void* to) {
  const Runs runs = runs_of(spec);
  const std::size_t element = size_of(header.type), count = element_count(spec);
  auto* const part = static_cast<std::byte*>(to);
  std::vector<std::byte> whole;
  const bool in_order = !header.fortran_order || header.rank < 2;
  if (!in_order) {
    whole.resize(header.bytes);
    read_npy(path, header, whole.data());
  }
  const NpyFile file(path);
  const std::size_t length = std::min(runs.length, count);
  for (std::size_t at = 0; at < count; at += length) {
    const std::size_t place = runs.place(at) * element;
    if (in_order)
      file.read(part + at * element, place, length * element);
    else
      std::memcpy(part + at * element, whole.data() + place, length * element);
  }
  if (file.header() != header)
    throw InputError(path + ": changed after its header was read; read it when nothing writes to "
                            "it any more");
}

} // namespace

double working_set(const Problem& problem) {
  double bytes = 0;
  for (const ArraySpec& spec : problem.algorithm->arrays(problem.shape))
    bytes += static_cast<double>(size_of(spec.type(problem.type))) *
             static_cast<double>(element_count(spec));
  return bytes;
}

std::string why_skipped(const Problem& problem, const Variant& variant) {
  if (!variant.types.contains(problem.type)) return "has no " + std::string(name_of(problem.type));
  if (problem.algorithm->whole != nullptr && variant.on_ranks == problem.part().has_value())
    return (variant.on_ranks ? "is for fewer " : "there are fewer ") +
           std::string(problem.algorithm->sizes[0].name) + " than ranks";
  return variant.unfit == nullptr ? "" : variant.unfit(problem.shape, problem.type);
}

HostData::HostData(const Problem& problem) : HostData(problem, rows_apart(problem.row_padding)) {}

HostData::HostData(const Problem& problem, const Placements& placements)
    : HostData(problem, placements, [](std::size_t, std::size_t bytes, const std::string& label) {
        return allocate_on_host(bytes, label);
      }) {}

HostData::HostData(const Problem& problem, const Placements& placements,
                   const InputAllocator& allocate)
    : problem_(problem), placements_(placements), specs_(problem.algorithm->arrays(problem.shape)) {
  for (std::size_t k = 0; k < specs_.size(); ++k) // check all sizes before allocating
    image_bytes_.push_back(ado::bench::image_bytes(
        specs_[k], problem.type, k < input_count() ? placements.input[k] : placements.output));
  for (std::size_t k = 0; k < input_count(); ++k) {
    images_.push_back(allocate(k, image_bytes_[k], std::string(specs_[k].name)));
    arrays_.push_back(images_[k]
                          ? array_in(images_[k].get(), specs_[k], problem.type, placements.input[k])
                          : packed_array(nullptr, specs_[k].extent));
  }
}

template <class Made>
void HostData::fill(std::uint64_t seed, const Made& made) {
  for (std::size_t k = 0; k < input_count(); ++k) {
    if (!images_[k]) continue;
    const Type type = specs_[k].type(problem_.type);
    if (specs_[k].fill != nullptr) {
      specs_[k].fill(arrays_[k], problem_.shape, seed);
      continue;
    }
    const Runs runs = runs_of(specs_[k]);
    const std::size_t size = size_of(type);
    auto *const from = static_cast<std::byte*>(image(k)), *const data = arrays_[k].as<std::byte>();
    made(k, type, from, image_bytes(k) / size, runs.first);
    if (runs.are_one()) continue;
    const std::size_t before = static_cast<std::size_t>(data - from) / size;
    for (std::size_t at = 0; at < element_count(specs_[k]); at += runs.length)
      made(k, type, data + at * size, runs.length, before + runs.place(at));
  }
  random_ = true;
  oracle_.reset();
}

void HostData::make(DataKind kind, std::uint64_t seed) {
  fill(seed, [&](std::size_t k, Type type, void* to, std::size_t count, std::size_t first) {
    fill_data(to, type, count, kind, seed, specs_[k].name, first);
  });
}

void HostData::make(const Witness& witness, std::uint64_t seed) {
  if (witness.largest == 0) return make(DataKind::uniform, seed);
  fill(seed, [&](std::size_t k, Type type, void* to, std::size_t count, std::size_t first) {
    fill_whole_numbers(to, type, count, witness.largest, seed, specs_[k].name, first);
  });
}

void HostData::make_with_extremes(std::uint64_t seed) {
  make(DataKind::uniform, seed);
  for (std::size_t k = 0; k < input_count(); ++k)
    if (images_[k] && specs_[k].fill == nullptr)
      put_extremes(arrays_[k], specs_[k].type(problem_.type));
}

void HostData::read(std::size_t k, const std::string& path, const NpyHeader& header) {
  const ArraySpec& spec = specs_[k];
  const Extents& wanted = spec.whole ? *spec.whole : spec.extent;
  for (int d = 0; d < header.rank; ++d)
    if (header.extent[d] != wanted[d])
      throw InputError("--input " + std::string(specs_[k].name) + "=" + path + ": has shape " +
                       npy::shape_text(header.rank, header.extent) + ", but it has to be " +
                       npy::shape_text(header.rank, wanted) + " for these sizes");
  if (spec.whole)
    read_part(path, header, spec, input(k).data);
  else
    read_npy(path, header, input(k).data);
  random_ = false;
  oracle_.reset();
}

std::string HostData::mistake() const {
  const auto check_inputs = problem_.algorithm->check_inputs;
  return check_inputs == nullptr ? "" : check_inputs(problem_.shape, arrays_);
}

void HostData::check() const {
  if (const std::string found = mistake(); !found.empty()) throw InputError("--input: " + found);
}

const Oracle& HostData::oracle() const {
  if (oracle_) return *oracle_;
  const WithDenormals denormals;
  oracle_ = problem_.algorithm->oracle(problem_.type, problem_.shape, arrays_);
  const std::optional<Type> judged = oracle_->output_type();
  if (judged && *judged != problem_.output_type())
    throw Error("the oracle of " + std::string(problem_.algorithm->name) + " judges results of " +
                std::string(name_of(*judged)) + ", and the output has " +
                std::string(name_of(problem_.output_type())));
  return *oracle_;
}

Workbench::Workbench(Device& device, const HostData& data, std::size_t output_count)
    : Bench(device),
      data_(data),
      in_place_(device.on_host || data.problem().algorithm->host_arrays),
      output_type_(data.specs().back().type(data.problem().type)) {
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
  const ArraySpec& spec = data.specs().back();
  const Placement& placement = data.placements().output;
  output_bytes_ = image_bytes(spec, type, placement);
  for (std::size_t slot = 0; slot < output_count; ++slot) {
    Output output;
    const std::string label(spec.name);
    output.image =
        in_place_ ? allocate_on_host(output_bytes_, label) : device.allocate(output_bytes_, label);
    output.device = array_in(output.image.get(), spec, type, placement);
    output.host = output.device;
    if (!in_place_) {
      output.host_image = allocate_on_host(output_bytes_, label);
      output.host = array_in(output.host_image.get(), spec, type, placement);
    }
    outputs_.push_back(std::move(output));
  }
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
  call.arrays[inputs_.size()] = outputs_[slot].device;
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
  outputs_[slot].pattern = poison(output_type_, turn);
  fill(outputs_[slot].image.get(), output_bytes_, outputs_[slot].pattern);
}

Check Workbench::verify(std::size_t slot, Tolerance tolerance) {
  tolerance.random_data = data_.is_random();
  Output& output = outputs_[slot];
  device_.fence();
  if (!in_place_) device_.copy_out(output.host_image.get(), output.image.get(), output_bytes_);
  output.on_host = true;
  const WithDenormals denormals;
  Check check = data_.oracle().check(output.host, tolerance);
  add_unwritten(check, output.host, output_type_, output.pattern);
  add_damage(check, damaged_guard(output));
  return check;
}

const Array& Workbench::host_output(std::size_t slot) const {
  if (!outputs_[slot].on_host)
    throw std::logic_error("Workbench::host_output: this output was not copied to the host yet");
  return outputs_[slot].host;
}

/// Every byte of the image that is not the array's must still hold the pattern.
std::string Workbench::damaged_guard(const Output& output) const {
  const auto* image =
      static_cast<const std::byte*>(in_place_ ? output.image.get() : output.host_image.get());
  const Array& array = output.host;
  const std::size_t element = size_of(output_type_);
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
  return intact(end, output_bytes_) ? "" : "memory behind the output was overwritten";
}

std::uint64_t Workbench::output_checksum(std::size_t slot) {
  return checksum(outputs_[slot].image.get(), output_bytes_);
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
  Output& output = outputs_[slot];
  if (!in_place_) device_.copy_out(output.host_image.get(), output.image.get(), output_bytes_);
  device_.fence();
  output.on_host = true;
  return std::chrono::duration<double>(Clock::now() - start).count();
}

} // namespace ado::bench
