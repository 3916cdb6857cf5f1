// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/io/number.hpp>
#include <ado/bench/stream/streamed_data.hpp>
#include <ado/registry/sum_oracle.hpp>

#include <algorithm>

namespace ado::bench {
namespace {

/// For an input from a file: read by slices if these are contiguous, else held whole.
Source source_of(const Problem& problem, std::size_t k, const NpyHeader& header) {
  const bool in_one_piece = !header.fortran_order || header.rank < 2;
  return Slices{problem}.is_cut(k) && in_one_piece ? Source::read : Source::held;
}

} // namespace

std::vector<Source> sources_of(const Problem& problem,
                               const std::map<std::string, std::string>& files) {
  const std::vector<ArraySpec> specs = problem.algorithm->arrays(problem.shape);
  std::vector<Source> sources(specs.size(), Source::made);
  for (std::size_t k = 0; k < specs.size(); ++k)
    if (const auto named = files.find(std::string(specs[k].name)); named != files.end())
      sources[k] = source_of(problem, k, read_npy_header(named->second));
  return sources;
}

bool any_read(const std::vector<Source>& sources) {
  return std::find(sources.begin(), sources.end(), Source::read) != sources.end();
}

StreamedData::StreamedData(Device& device, const Problem& problem, const StreamLimits& limits,
                           const std::map<std::string, std::string>& files,
                           const std::vector<const Variant*>& variants)
    : specs_(problem.algorithm->arrays(problem.shape)),
      sources_(specs_.size(), Source::made),
      files_(specs_.size()),
      slices_{problem},
      device_limit_(limits.device_bytes),
      oracle_bytes_left_(limits.host_bytes) {
  open_files(files);
  slices_ = cut_into_slices(problem, limits, sources_, variants);
  check_held(limits);
  in_memory_ =
      std::make_unique<HostData>(slices_.of_period(), Placements(),
                                 [&](std::size_t k, std::size_t bytes, const std::string& label) {
                                   if (sources_[k] == Source::read) return DeviceMemory();
                                   return device.allocate_staging(bytes, label);
                                 });
}

void StreamedData::open_files(const std::map<std::string, std::string>& files) {
  for (std::size_t k = 0; k < input_count(); ++k) {
    const auto named = files.find(std::string(specs_[k].name));
    if (named == files.end()) continue;
    files_[k] = std::make_unique<NpyFile>(named->second);
    const NpyHeader& header = files_[k]->header();
    if (header.rank != specs_[k].rank || header.extent != specs_[k].extent ||
        header.type != slices_.problem.type)
      throw InputError(named->second + ": changed after its header was read; read it when nothing "
                                       "writes to it any more");
    sources_[k] = source_of(slices_.problem, k, header);
  }
}

/// What is cut but cannot be read slice by slice must fit the host's memory.
void StreamedData::check_held(const StreamLimits& limits) const {
  double bytes = 0;
  for (std::size_t k = 0; k < input_count(); ++k)
    if (slices_.is_cut(k) && sources_[k] == Source::held) {
      bytes += static_cast<double>(files_[k]->header().bytes);
      if (bytes > static_cast<double>(limits.host_bytes))
        throw InputError(files_[k]->path() +
                         ": is in Fortran order, so no slice of it lies in one piece, and its " +
                         bytes_text(bytes) + " are more than the " +
                         bytes_text(static_cast<double>(limits.host_bytes)) +
                         " that host memory has for data; save it in C order, with "
                         "numpy.ascontiguousarray");
    }
}

void StreamedData::load(DataKind kind, std::uint64_t seed) {
  in_memory_->make(kind, seed);
  for (std::size_t k = 0; k < input_count(); ++k)
    if (sources_[k] == Source::held) in_memory_->read(k, files_[k]->path(), files_[k]->header());
}

std::size_t StreamedData::step_bytes(std::size_t k) const {
  const std::size_t total = specs_[k].extent[0];
  return total == 0 ? 0 : element_count(specs_[k]) / total * size_of(slices_.problem.type);
}

void* StreamedData::slice_data(std::size_t k, std::size_t slice) const {
  if (sources_[k] == Source::read) return nullptr;
  if (!slices_.is_cut(k)) return in_memory_->input(k).data;
  const std::size_t first = slices_.first(slice % std::max(slices_.period, std::size_t{1}));
  return in_memory_->input(k).as<std::byte>() + first * step_bytes(k) +
         slices_.first_across(slice) * size_of(slices_.problem.type);
}

HostRows StreamedData::rows(std::size_t k, std::size_t slice) const {
  const std::size_t length = slices_.is_cut(k) ? slices_.length_of(slice) : specs_[k].extent[0];
  const std::size_t pitch = step_bytes(k);
  if (slices_.across() == 1) return {1, length * pitch, length * pitch};
  return {length, slices_.width_of(slice) * size_of(slices_.problem.type), pitch};
}

Array StreamedData::part(std::size_t k, std::size_t slice, void* data) const {
  const Problem part = slices_.of(slice);
  Array array = packed_array(data, part.algorithm->arrays(part.shape)[k].extent);
  if (slices_.across() > 1) array.stride[0] = specs_[k].extent[1];
  return array;
}

void StreamedData::check_files() const {
  for (std::size_t k = 0; k < input_count(); ++k)
    if (sources_[k] == Source::read) files_[k]->check_unchanged();
}

/// Slices with the same data and length share one.
std::size_t StreamedData::oracle_of(std::size_t slice) const {
  const bool shorter = slices_.length_of(slice) < slices_.length;
  return reads_files() || shorter ? slice : slice % slices_.period;
}

Check StreamedData::check(std::size_t slice, const std::vector<Array>& arrays, const Array& output,
                          const Tolerance& tolerance) const {
  const auto known = oracles_.find(oracle_of(slice));
  if (known != oracles_.end()) return known->second->check(output, tolerance);
  const Problem part = slices_.of(slice);
  std::unique_ptr<Oracle> oracle = part.algorithm->oracle(part.type, part.shape, arrays);
  const Check check = oracle->check(output, tolerance);
  const std::size_t bytes = oracle->reads_inputs() ? 0
                                                   : sizeof(Expected) * output.extent[0] *
                                                         output.extent[1] * output.extent[2];
  const bool wanted = slices_.slicing().summed; // by oracle_of_sum()
  if (wanted || ((!reads_files() || !oracle->reads_inputs()) && bytes <= oracle_bytes_left_)) {
    oracle_bytes_left_ -= std::min(bytes, oracle_bytes_left_);
    oracles_.emplace(oracle_of(slice), std::move(oracle));
  }
  return check;
}

const Oracle& StreamedData::oracle_of_sum() const {
  if (of_sum_) return *of_sum_;
  std::vector<const Oracle*> parts;
  for (std::size_t k = 0; k < slices_.count; ++k)
    parts.push_back(oracles_.at(oracle_of(k)).get());
  if (parts.empty()) {
    std::vector<Array> inputs;
    for (std::size_t k = 0; k < input_count(); ++k)
      inputs.push_back(in_memory_->input(k));
    const Problem& problem = slices_.problem;
    of_sum_ = problem.algorithm->oracle(problem.type, problem.shape, inputs);
  } else {
    of_sum_ = parts[0]->of_sum(parts);
  }
  return *of_sum_;
}

} // namespace ado::bench
