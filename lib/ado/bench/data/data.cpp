// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/data/data.hpp>
#include <ado/bench/io/npy_header.hpp>

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

namespace ado::bench {
namespace {

/// splitmix64's finalizer (Steele, Lea, Flood, "Fast splittable pseudorandom number generators").
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

template <class T>
T value_of(std::uint64_t bits, DataKind kind) {
  switch (kind) {
  case DataKind::ones_twos:
    return static_cast<T>(1 + (bits & 1));
  case DataKind::hash:
    return static_cast<T>(static_cast<int>(bits % 17) - 8);
  default:
    break;
  }
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(static_cast<double>(static_cast<std::int64_t>(bits)) * 0x1p-63);
  else
    return static_cast<T>(bits);
}

/// The lowest bit is the sign; the upper half is scaled.
template <class T>
T whole_number_of(std::uint64_t bits, std::uint64_t largest) {
  const auto size = static_cast<std::int64_t>(1 + ((bits >> 32) * largest >> 32));
  return static_cast<T>((bits & 1) == 0 ? size : -size);
}

/// Each element is `value` of random bits that depend on its place.
template <class Value>
void fill(void* data, Type type, std::size_t count, std::uint64_t seed, std::string_view array_name,
          std::size_t first, const Value& value) {
  std::uint64_t key = mix(seed);
  for (const char letter : array_name)
    key = mix(key ^ static_cast<unsigned char>(letter));
  with_parts(type, [&](auto zero, std::size_t parts) {
    auto* const elements = static_cast<decltype(zero)*>(data);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < parts * count; ++i)
      elements[i] = value(mix(key + (parts * first + i) * 0x9e3779b97f4a7c15u), zero);
  });
}

/// Shows which size each extent of an array is, because its numbers are distinct.
constexpr Shape probe{1000003, 1000033, 1000037};

} // namespace

std::optional<DataKind> data_kind_named(std::string_view name) {
  for (std::size_t k = 0; k < data_kind_names.size(); ++k)
    if (data_kind_names[k] == name) return static_cast<DataKind>(k);
  return std::nullopt;
}

void fill_data(void* data, Type type, std::size_t count, DataKind kind, std::uint64_t seed,
               std::string_view array_name, std::size_t first) {
  fill(data, type, count, seed, array_name, first,
       [=](std::uint64_t bits, auto zero) { return value_of<decltype(zero)>(bits, kind); });
}

void fill_whole_numbers(void* data, Type type, std::size_t count, double largest,
                        std::uint64_t seed, std::string_view array_name, std::size_t first) {
  const auto most = static_cast<std::uint64_t>(largest);
  fill(data, type, count, seed, array_name, first,
       [=](std::uint64_t bits, auto zero) { return whole_number_of<decltype(zero)>(bits, most); });
}

void put_extremes(const Array& array, Type type) {
  const ArrayRows rows(array);
  const bool is_vector = rows.length == 1;
  const std::size_t count = is_vector ? 1 : rows.count,
                    length = is_vector ? rows.count : rows.length;
  if (length < 2) return;
  const std::size_t apart = is_vector ? array.stride[0] : 1;
  with_parts(type, [&](auto zero, std::size_t parts) {
    using T = decltype(zero);
    constexpr bool is_real = std::is_floating_point_v<T>;
    const T above = is_real ? T(2) : std::numeric_limits<T>::max();
    const T below = is_real ? T(-2) : std::numeric_limits<T>::min();
    const auto put = [&](std::size_t row, std::size_t column, T value) {
      T* const element = array.as<T>() + (rows.start(row) + column * apart) * parts;
      std::fill_n(element, parts, value);
    };
    constexpr std::size_t tile = 32;
    for (std::size_t row = 0; row < count; ++row) {
      const std::size_t inside = (row / 3 + 1) * tile - 1;
      const std::size_t high[] = {length - 1, 0, inside % length};
      const std::size_t low[] = {0, length - 1, (inside + 1) % length};
      put(row, high[row % 3], above);
      put(row, low[row % 3], below);
    }
  });
}

InputFiles match_inputs(const Algorithm& algorithm,
                        const std::map<std::string, std::string>& inputs) {
  InputFiles files;
  const std::string prefix = std::string(algorithm.name) + ".";
  std::map<std::string, std::string> fixed_by; // size name -> file that fixed it
  for (const ArraySpec& spec : algorithm.of_all().arrays(probe)) {
    if (spec.output) continue; // an input of another algorithm may have its name
    const std::string name(spec.name);
    auto given = inputs.find(prefix + name);
    if (given == inputs.end()) given = inputs.find(name);
    if (given == inputs.end()) continue;
    const std::string& path = given->second;
    const std::string where = "--input " + given->first + "=" + path;
    const NpyHeader header = read_npy_header(path);
    if (header.rank != spec.rank)
      throw InputError(where + ": has shape " + npy::shape_text(header.rank, header.extent) +
                       ", but " + prefix + name + " has " + std::to_string(spec.rank) +
                       " dimensions");
    if (header.type != spec.type(header.type))
      throw InputError(where + ": holds " + std::string(name_of(header.type)) + ", but " + prefix +
                       name + " holds " + std::string(name_of(*spec.own_type)) +
                       "; convert it with .astype()");
    if (!spec.own_type && files.type && *files.type != header.type)
      throw InputError(where + ": holds " + std::string(name_of(header.type)) + ", another input " +
                       std::string(name_of(*files.type)) + "; convert one with .astype()");
    if (!spec.own_type) files.type = header.type;
    for (int d = 0; d < spec.rank; ++d)
      for (std::size_t k = 0; k < algorithm.sizes.size(); ++k) {
        if (spec.extent[d] != probe[k]) continue;
        const std::string size(algorithm.sizes[k].name);
        const auto [entry, is_new] = files.sizes.emplace(size, header.extent[d]);
        if (is_new)
          fixed_by[size] = where;
        else if (entry->second != header.extent[d])
          throw InputError(where + ": has shape " + npy::shape_text(header.rank, header.extent) +
                           ", so " + size + " = " + std::to_string(header.extent[d]) + ", but " +
                           fixed_by[size] + " gives " + std::to_string(entry->second));
      }
    files.path[name] = path;
  }
  return files;
}

Array packed_array(void* data, const Extents& extent) {
  return {data, extent, {extent[1] * extent[2], extent[2], 1}};
}

std::size_t element_count(const ArraySpec& spec) {
  return spec.extent[0] * spec.extent[1] * spec.extent[2];
}

std::optional<std::size_t> largest_input(const std::vector<ArraySpec>& specs) {
  std::optional<std::size_t> largest;
  const auto rank = [&](std::size_t k) {
    return std::pair(!specs[k].own_type, element_count(specs[k]));
  };
  for (std::size_t k = 0; k < specs.size(); ++k)
    if (!specs[k].output && (!largest || rank(k) > rank(*largest))) largest = k;
  return largest;
}

} // namespace ado::bench
