// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/data/host_data.hpp>
#include <ado/bench/data/with_denormals.hpp>
#include <ado/bench/device/host_memory.hpp>
#include <ado/bench/io/npy_header.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

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
  std::unique_ptr<Oracle> made = problem_.algorithm->oracle(problem_.type, problem_.shape, arrays_);
  const std::string who = "the oracle of " + std::string(problem_.algorithm->name) + " judges ";
  const std::size_t outputs = specs_.size() - input_count();
  if (made->outputs() != outputs)
    throw Error(who + std::to_string(made->outputs()) + " of " + std::to_string(outputs) +
                " outputs; oracle_of_each takes one for each");
  for (std::size_t k = 0; k < outputs; ++k) {
    const ArraySpec& spec = specs_[input_count() + k];
    const std::optional<Type> judged = made->of_output(k).output_type();
    if (judged && *judged != spec.type(problem_.type))
      throw Error(who + "results of " + std::string(name_of(*judged)) + ", and " +
                  std::string(spec.name) + " has " +
                  std::string(name_of(spec.type(problem_.type))));
  }
  oracle_ = std::move(made);
  return *oracle_;
}

} // namespace ado::bench
