// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the tests of the public functions: Views with a border that nothing may touch, and
// errors with the words they must hold.
#pragma once

#include <ado/core/error.hpp>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <vector>

namespace arrays {

using Exec = Kokkos::DefaultExecutionSpace;
using Memory = Exec::memory_space;
using Extents = std::vector<std::size_t>;

/// Instances that do not wait for each other. An OpenMP instance is made with a number of threads:
/// some have one, some two.
inline std::vector<Exec> instances(std::size_t count) {
  if constexpr (std::is_constructible_v<Exec, int>) {
    std::vector<Exec> all;
    for (std::size_t k = 0; k < count; ++k)
      all.emplace_back(1 + static_cast<int>(k % 2));
    return all;
  } else {
    return Kokkos::Experimental::partition_space(Exec(), std::vector<int>(count, 1));
  }
}

/// Number `index` of a fixed random sequence of 32-bit words.
inline std::uint32_t random_bits(std::size_t index) {
  std::uint64_t z = (index + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return static_cast<std::uint32_t>((z ^ (z >> 31)) >> 16);
}

template <class T>
T random_value(std::size_t index) {
  return static_cast<T>(random_bits(index) * 0x1p-31 - 1);
}
template <>
inline int random_value<int>(std::size_t index) {
  return static_cast<int>(random_bits(index));
}

/// What outputs hold before a call: a NaN, or a rare integer.
template <class T>
T poison() {
  T value;
  std::memset(&value, 0xb5, sizeof value);
  if constexpr (std::is_floating_point_v<T>) std::memset(&value, 0xff, sizeof value);
  return value;
}
/// Whether both have the same bytes: so NaN equals itself, and its payload counts.
template <class T>
bool same_bits(const T& a, const T& b) {
  using Bytes = std::array<unsigned char, sizeof(T)>;
  return std::bit_cast<Bytes>(a) == std::bit_cast<Bytes>(b);
}
template <class T>
bool is_poison(const T& value) {
  return same_bits(value, poison<T>());
}

/// A rank-2 View inside a larger one, so that its leading dimension is odd and its start unaligned;
/// and its mirror on the host.
template <class T, class Layout>
class Matrix {
public:
  Matrix(std::size_t rows, std::size_t columns)
      : rows_(rows),
        columns_(columns),
        whole_("whole", (rows + 3) | 1, (columns + 3) | 1),
        host_(Kokkos::create_mirror_view(whole_)) {
    Kokkos::deep_copy(host_, poison<T>());
    Kokkos::deep_copy(whole_, host_);
  }
  auto view() const { return inside(whole_); }
  auto const_view() const {
    return Kokkos::View<const T**, typename decltype(view())::array_layout, Memory>(view());
  }
  /// On the host: change it, then send(); or fetch(), then look.
  auto host() const { return inside(host_); }
  void send() const { Kokkos::deep_copy(whole_, host_); }
  void fetch() const { Kokkos::deep_copy(host_, whole_); }

  void fill_random(std::size_t seed) const {
    for (std::size_t i = 0; i < rows_; ++i)
      for (std::size_t j = 0; j < columns_; ++j)
        host()(i, j) = random_value<T>(seed + i * columns_ + j);
    send();
  }
  /// Whether nothing was written since construction.
  bool untouched() const { return poisoned() == whole_.size(); }
  /// Whether the whole View was written, and nothing beside it. Updates host().
  bool written_and_no_more() const { return poisoned() == whole_.size() - rows_ * columns_; }

private:
  template <class View>
  auto inside(const View& view) const {
    return Kokkos::subview(view, Kokkos::pair<std::size_t, std::size_t>(1, 1 + rows_),
                           Kokkos::pair<std::size_t, std::size_t>(2, 2 + columns_));
  }
  std::size_t poisoned() const {
    fetch();
    std::size_t count = 0;
    for (std::size_t i = 0; i < host_.extent(0); ++i)
      for (std::size_t j = 0; j < host_.extent(1); ++j)
        count += is_poison(host_(i, j));
    return count;
  }
  std::size_t rows_, columns_;
  Kokkos::View<T**, Layout, Memory> whole_;
  decltype(Kokkos::create_mirror_view(whole_)) host_;
};

/// Sets of vectors, (N, L, M): the whole array, or a part with gaps between vectors and sets.
template <class T>
class Sets {
public:
  Sets(std::size_t sets, std::size_t length, std::size_t count, std::size_t seed)
      : whole_("v", sets + 1, length + 2, count + 3),
        packed_("v", sets, length, count),
        host_(Kokkos::create_mirror_view(packed_)) {
    const auto host_whole = Kokkos::create_mirror_view(whole_);
    Kokkos::deep_copy(host_whole, poison<T>());
    for (std::size_t n = 0; n < sets; ++n)
      for (std::size_t l = 0; l < length; ++l)
        for (std::size_t m = 0; m < count; ++m)
          host_whole(n + 1, l + 1, m + 1) = host_(n, l, m) =
              random_value<T>(seed + (n * length + l) * count + m);
    Kokkos::deep_copy(whole_, host_whole);
    Kokkos::deep_copy(packed_, host_);
  }
  Kokkos::View<const T***, Kokkos::LayoutRight, Memory> packed() const { return packed_; }
  auto apart() const {
    using Pair = Kokkos::pair<std::size_t, std::size_t>;
    return Kokkos::subview(whole_, Pair(1, 1 + packed_.extent(0)), Pair(1, 1 + packed_.extent(1)),
                           Pair(1, 1 + packed_.extent(2)));
  }
  auto host() const { return host_; }

private:
  Kokkos::View<T***, Kokkos::LayoutRight, Memory> whole_, packed_;
  decltype(Kokkos::create_mirror_view(packed_)) host_;
};

/// Sets of vectors with strided elements: LayoutLeft, a part of one, and contiguous along L.
template <class T>
class StridedSets {
public:
  StridedSets(std::size_t sets, std::size_t length, std::size_t count, std::size_t seed)
      : values_(sets, length, count, seed),
        left_("v", sets, length, count),
        whole_("v", sets + 3, length + 2, count + 1),
        along_rows_("v", count, sets, length) {
    const auto host_left = Kokkos::create_mirror_view(left_);
    const auto host_whole = Kokkos::create_mirror_view(whole_);
    const auto host_along_rows = Kokkos::create_mirror_view(along_rows_);
    Kokkos::deep_copy(host_whole, poison<T>());
    for (std::size_t n = 0; n < sets; ++n)
      for (std::size_t l = 0; l < length; ++l)
        for (std::size_t m = 0; m < count; ++m)
          host_left(n, l, m) = host_whole(n + 1, l + 1, m) = host_along_rows(m, n, l) =
              values_.host()(n, l, m);
    Kokkos::deep_copy(left_, host_left);
    Kokkos::deep_copy(whole_, host_whole);
    Kokkos::deep_copy(along_rows_, host_along_rows);
  }
  auto left() const { return left_; }
  auto left_apart() const {
    using Pair = Kokkos::pair<std::size_t, std::size_t>;
    return Kokkos::subview(whole_, Pair(1, 1 + left_.extent(0)), Pair(1, 1 + left_.extent(1)),
                           Pair(0, left_.extent(2)));
  }
  auto along_rows() const {
    const std::size_t n = left_.extent(0), l = left_.extent(1), m = left_.extent(2);
    return Kokkos::View<const T***, Kokkos::LayoutStride, Memory,
                        Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
        along_rows_.data(), Kokkos::LayoutStride(n, l, l, 1, m, n * l));
  }
  auto contiguous() const { return values_.packed(); }
  auto host() const { return values_.host(); }

private:
  Sets<T> values_;
  Kokkos::View<T***, Kokkos::LayoutLeft, Memory> left_, whole_;
  Kokkos::View<T***, Kokkos::LayoutRight, Memory> along_rows_;
};

/// Expects InvalidArgument with all these words in its message.
template <class Action>
void expect_refused(std::initializer_list<const char*> words, Action action) {
  try {
    action();
    ADD_FAILURE() << "accepted, where an error was expected that says " << *words.begin();
  } catch (const ado::InvalidArgument& error) {
    for (const char* word : words)
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos)
          << "no \"" << word << "\" in: " << error.what();
  }
}

} // namespace arrays
