// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/device/host_memory.hpp>
#include <ado/bench/guard/kernel_guard.hpp>
#include <ado/bench/io/interrupt.hpp>
#include <ado/bench/stream/streamed_bench.hpp>
#include <ado/core/checks.hpp>
#include <ado/core/error.hpp>

#include <algorithm>

namespace ado::bench {

/// Whatever ends a run, no copy is under way once this is gone.
class StreamedBench::Drain {
public:
  explicit Drain(StreamedBench& bench) : bench_(bench) {}
  Drain(const Drain&) = delete;
  Drain& operator=(const Drain&) = delete;
  ~Drain() {
    for (const Slot& slot : bench_.slots_)
      try {
        bench_.device_.fence_on(slot.queue);
      } catch (const std::exception&) { // the failure is already on its way
      }
  }

private:
  StreamedBench& bench_;
};

StreamedBench::StreamedBench(Device& device, const StreamedData& data, std::size_t output_count)
    : Bench(device), data_(data), whole_(data.input_count()) {
  make_slots();
  for (std::size_t k = 0; k < data.input_count(); ++k) {
    if (!slices().is_cut(k))
      whole_[k] =
          on_device(image_bytes(data.specs()[k], type()), std::string(data.specs()[k].name));
    const HostData& memory = data.in_memory();
    checksums_.push_back(
        memory.image(k) == nullptr ? 0 : host_checksum(memory.image(k), memory.image_bytes(k)));
  }
  for (std::size_t k = 0; k < output_count; ++k)
    make_output();
}

DeviceMemory StreamedBench::on_device(std::size_t bytes, const std::string& label) {
  DeviceMemory memory = device_.allocate(bytes, label);
  device_bytes_ += bytes;
  return memory;
}

void StreamedBench::make_slots() {
  const Problem part = slices().largest();
  const std::vector<ArraySpec> specs = part.algorithm->arrays(part.shape);
  const std::vector<Queue> queues = device_.queues(Slices::slots);
  for (std::size_t s = 0; s < Slices::slots; ++s) {
    Slot& slot = slots_[s];
    slot.queue = queues[s];
    slot.images.resize(specs.size());
    slot.staging.resize(specs.size());
    for (std::size_t k = 0; k < specs.size(); ++k) {
      const std::string label = "a slot's " + std::string(specs[k].name);
      if (specs[k].output || slices().is_cut(k))
        slot.images[k] = on_device(image_bytes(specs[k], part.type), label);
      if (!specs[k].output && data_.source(k) == Source::read)
        slot.staging[k] = device_.allocate_staging(data_.step_bytes(k) * slices().length,
                                                   label + " in host memory");
    }
  }
}

std::size_t StreamedBench::result_bytes() const {
  return element_count(output_spec()) * size_of(type());
}

void StreamedBench::make_output() {
  const std::size_t bytes = image_bytes(output_spec(), type());
  const std::string label(output_spec().name);
  if (bytes > available_host_memory()) throw OutOfMemory(label + " in host memory", bytes);
  Output output;
  output.image = device_.allocate_staging(bytes, label);
  output.array = array_in(output.image.get(), output_spec(), type());
  if (slices().slicing().summed)
    output.parts = device_.allocate_staging(slices().count * result_bytes(), "partial " + label);
  outputs_.push_back(std::move(output));
}

double StreamedBench::rounding_steps(const Variant& variant, const Launch& launch) const {
  const auto steps = [&](const Problem& part) {
    return variant.rounding_steps(part.shape, type(), launch);
  };
  if (slices().count == 0) return steps(slices().part(0));
  double most = 0;
  for (const std::size_t slice : slices().corners())
    most = std::max(most, steps(slices().of(slice)));
  const std::size_t last = slices().count - 1;
  return most + (slices().slicing().summed ? static_cast<double>(last) : 0);
}

void StreamedBench::reserve_workspace(const Variant& variant) {
  std::size_t bytes = 0;
  if (variant.workspace_bytes != nullptr && slices().count > 0)
    for (const std::size_t slice : slices().corners())
      bytes = std::max(bytes, variant.workspace_bytes(slices().of(slice).shape, type()));
  const std::size_t needed = round_up(bytes, 8) + guard_bytes;
  const std::size_t left = data_.device_limit() - std::min(data_.device_limit(), device_bytes_);
  if (needed < bytes || needed > left / Slices::slots)
    throw OutOfMemory("workspace beside the slices, of which there are " +
                          std::to_string(Slices::slots) + " on the device,",
                      bytes);
  for (Slot& slot : slots_) {
    if (needed > workspace_bytes_) slot.workspace = device_.allocate(needed, "a slot's workspace");
    device_.fill(slot.workspace.get(), needed, workspace_pattern);
  }
  workspace_bytes_ = std::max(workspace_bytes_, needed);
  workspace_end_ = bytes;
  device_.fence(); // the slots have other queues
}

bool StreamedBench::overran_workspace() {
  std::array<std::byte, guard_bytes> guard{};
  for (const Slot& slot : slots_) {
    device_.copy_out(guard.data(),
                     static_cast<const std::byte*>(slot.workspace.get()) + workspace_end_,
                     guard.size());
    if (!holds(guard.data(), guard.size(), workspace_end_, workspace_pattern)) return true;
  }
  return false;
}

const void* StreamedBench::source(std::size_t input, std::size_t slice) const {
  const DeviceMemory& staging = slots_[slice % Slices::slots].staging[input];
  return staging ? staging.get() : data_.slice_data(input, slice);
}

Call StreamedBench::call_of(std::size_t slice, const Launch& launch) {
  Slot& slot = slot_of(slice);
  const Problem part = slices().of(slice);
  const std::vector<ArraySpec> specs = part.algorithm->arrays(part.shape);
  Call call{.type = part.type,
            .shape = part.shape,
            .arrays = {},
            .workspace = slot.workspace.get(),
            .queue = slot.queue,
            .launch = launch};
  for (std::size_t k = 0; k < specs.size(); ++k)
    call.arrays[k] =
        array_in((slot.images[k] ? slot.images[k] : whole_[k]).get(), specs[k], part.type);
  return call;
}

/// All slots use them, so they must be there before any slot begins.
void StreamedBench::copy_whole_inputs(StageRecorder* stages) {
  const Queue& queue = slots_[0].queue;
  const StageScope timed(stages, Stage::copy_in, 0, queue.stream);
  for (std::size_t k = 0; k < whole_.size(); ++k)
    if (whole_[k])
      copy_in(queue, array_in(whole_[k].get(), data_.specs()[k], type()).data,
              data_.in_memory().input(k).data, data_.rows(k, 0));
  device_.fence_on(queue);
}

std::optional<SliceReader> StreamedBench::reader(StageRecorder* stages) {
  if (!data_.reads_files()) return std::nullopt;
  constexpr int most_readers = 8; // more would only wait for the disk
  std::vector<FileSlices> files;
  for (std::size_t k = 0; k < data_.input_count(); ++k) {
    if (data_.source(k) != Source::read) continue;
    FileSlices file{data_.file(k), data_.step_bytes(k), {}};
    for (std::size_t s = 0; s < Slices::slots; ++s)
      file.to[s] = slots_[s].staging[k].get();
    files.push_back(file);
  }
  return std::optional<SliceReader>(std::in_place, slices(), std::move(files),
                                    std::min(host_threads(), most_readers), stages);
}

void StreamedBench::run_slice(const Variant& variant, std::size_t slice, Output& output,
                              const Launch& launch, StageRecorder* stages) {
  Slot& slot = slot_of(slice);
  const Call call = call_of(slice, launch);
  {
    const StageScope timed(stages, Stage::copy_in, slice, slot.queue.stream);
    for (std::size_t k = 0; k < data_.input_count(); ++k)
      if (slices().is_cut(k))
        copy_in(slot.queue, call.arrays[k].data, source(k, slice), data_.rows(k, slice));
  }
  {
    const StageScope timed(stages, Stage::compute, slice, slot.queue.stream);
    if (variant.prepare != nullptr) variant.prepare(call);
    variant.run(call);
    device_.check_launch(variant.name);
  }
  const StageScope timed(stages, Stage::copy_out, slice, slot.queue.stream);
  copy_out(slice, output);
}

Array StreamedBench::part_of(const Output& output, std::size_t slice) const {
  Array part = output.array;
  if (slices().slicing().summed) {
    part.data = static_cast<std::byte*>(output.parts.get()) + slice * result_bytes();
    return part;
  }
  const auto cut = static_cast<std::size_t>(slices().slicing().cut[data_.input_count()]);
  part.extent[cut] = slices().length_of(slice);
  std::size_t first = slices().first(slice) * part.stride[cut];
  if (slices().across() > 1) {
    part.extent[1 - cut] = slices().width_of(slice);
    first += slices().first_across(slice) * part.stride[1 - cut];
  }
  part.data = part.as<std::byte>() + first * size_of(type());
  return part;
}

void StreamedBench::copy_in(const Queue& queue, void* device, const void* host,
                            const HostRows& rows) {
  if (rows.count * rows.bytes > 0)
    device_.copy_in_on(queue, device, host, rows.pitch, rows.bytes, rows.count);
}

void StreamedBench::copy_out(std::size_t slice, const Output& output) {
  const Array to = part_of(output, slice);
  const bool rows_apart = to.stride[0] > to.extent[1] * to.extent[2];
  const std::size_t rows = rows_apart ? to.extent[0] : 1;
  const std::size_t elements = to.extent[0] * to.extent[1] * to.extent[2];
  if (elements == 0) return;
  device_.copy_out_on(slot_of(slice).queue, to.data, to.stride[0] * size_of(type()),
                      call_of(slice, {}).arrays[data_.input_count()].data,
                      elements / rows * size_of(type()), rows);
}

/// In the order of the slices, so that every run gives the same bits.
void StreamedBench::add_parts(const Output& output) {
  with_real_type(type(), [&](auto zero) {
    using T = decltype(zero);
    const std::size_t results = element_count(output_spec());
    T* const sums = output.array.as<T>();
    std::fill_n(sums, results, zero);
    const auto* part = static_cast<const T*>(output.parts.get());
    for (std::size_t slice = 0; slice < slices().count; ++slice, part += results)
      for (std::size_t k = 0; k < results; ++k)
        sums[k] = slice == 0 ? part[k] : sums[k] + part[k];
  });
}

void StreamedBench::run(const Variant& variant, std::size_t slot, const Launch& launch,
                        StageRecorder* stages) {
  const Region region(*this, variant);
  Output& output = outputs_[slot];
  const Drain drain(*this);
  std::optional<SliceReader> reading = reader(stages);
  copy_whole_inputs(stages);
  for (std::size_t slice = 0; slice < slices().count; ++slice) {
    if (interrupted() != 0) throw Error("interrupted"); // a run may take minutes
    if (reading) reading->wait(slice);
    KernelRun::proceeds();
    run_slice(variant, slice, output, launch, stages);
    if (reading && slice > 0) { // the next read goes where the previous slice was
      device_.fence_on(slot_of(slice - 1).queue);
      reading->release(slice - 1);
    }
  }
  for (const Slot& each : slots_)
    device_.fence_on(each.queue);
  if (!slices().slicing().summed) return;
  const StageScope timed(stages, Stage::store, slices().count == 0 ? 0 : slices().count - 1);
  add_parts(output);
}

void StreamedBench::run_sample(const Variant& variant, std::size_t slot, const Launch& launch) {
  const Region region(*this, variant);
  const Drain drain(*this);
  if (slices().count == 0) return;
  std::optional<SliceReader> reading = reader(nullptr);
  copy_whole_inputs(nullptr);
  if (reading) reading->wait(0);
  run_slice(variant, 0, outputs_[slot], launch, nullptr);
}

void StreamedBench::prepare(const Variant&, std::size_t slot, unsigned turn) {
  Output& output = outputs_[slot];
  output.pattern = pattern_ = poison(type(), turn);
  host_fill(output.image.get(), image_bytes(output_spec(), type()), pattern_);
  if (output.parts) host_fill(output.parts.get(), slices().count * result_bytes(), pattern_);
  const auto fill = [&](const DeviceMemory& image, const ArraySpec& spec) {
    if (image) device_.fill(image.get(), image_bytes(spec, type()), pattern_);
  };
  const Problem part = slices().largest();
  const std::vector<ArraySpec> specs = part.algorithm->arrays(part.shape);
  for (std::size_t k = 0; k < specs.size(); ++k) {
    for (const Slot& each : slots_)
      fill(each.images[k], specs[k]);
    if (k < whole_.size()) fill(whole_[k], specs[k]);
  }
  device_.fence(); // the slots have other queues
}

StreamFacts StreamedBench::facts() const {
  StreamFacts facts = planned_facts(slices());
  facts.device_bytes = device_bytes_ + Slices::slots * workspace_bytes_;
  facts.reads_files = data_.reads_files();
  return facts;
}

} // namespace ado::bench
