// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/core/error.hpp>
#include <ado/registry/exact_oracle.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <utility>

namespace ado::bench {
namespace {

constexpr std::size_t largest_element = 16; ///< of c128
using Room = std::unique_ptr<std::byte, void (*)(void*)>;

/// The number behind `element`, or its parts.
std::string text_of(Type type, const std::byte* element) {
  std::string text;
  with_parts(type, [&](auto zero, std::size_t parts) {
    using T = decltype(zero);
    for (std::size_t part = 0; part < parts; ++part) {
      T value;
      std::memcpy(&value, element + part * sizeof(T), sizeof(T));
      text += part == 0 ? "" : " + i ";
      if constexpr (std::is_floating_point_v<T>) {
        char digits[32];
        std::snprintf(digits, sizeof digits, "%.*g", std::numeric_limits<T>::max_digits10,
                      static_cast<double>(value));
        text += digits;
      } else {
        text += std::to_string(value);
      }
    }
  });
  return text;
}

class ExactOracle : public Oracle {
public:
  ExactOracle(Type type, Room expected, std::size_t bytes)
      : type_(type), expected_(std::move(expected)), bytes_(bytes) {}

  std::optional<Type> output_type() const override { return type_; }
  bool reads_inputs() const override { return false; }

  Check check(const Array& output, const Tolerance& tolerance) const override {
    const ArrayRows rows(output);
    if (rows.count * rows.length * size_of(type_) != bytes_)
      throw Error("exact_oracle: its extents or type are not those of the output");
    const std::size_t size = size_of(type_), length = rows.length * size;
    std::size_t wrong = 0, first = rows.count * rows.length;
#pragma omp parallel for reduction(+ : wrong) reduction(min : first)
    for (std::size_t row = 0; row < rows.count; ++row) {
      const std::byte* got = output.as<const std::byte>() + rows.start(row) * size;
      const std::byte* want = expected_.get() + row * length;
      if (!tolerance.negated && std::memcmp(got, want, length) == 0) continue;
      for (std::size_t k = 0; k < rows.length; ++k)
        if (!is_right(got + k * size, want + k * size, tolerance.negated)) {
          ++wrong;
          first = std::min(first, row * rows.length + k);
        }
    }
    Check result;
    result.wrong = wrong;
    result.ok = wrong == 0;
    if (result.ok) return result;
    result.max_error = result.worst_bound_share = std::numeric_limits<double>::infinity();
    const std::byte* got = output.as<const std::byte>() +
                           (rows.start(first / rows.length) + first % rows.length) * size;
    result.first_wrong = rows.place(first) + " is " + text_of(type_, got) + ", should be " +
                         text_of(type_, expected_.get() + first * size);
    return result;
  }

private:
  /// If an input is negated, a real result has the other sign; a zero may have either.
  bool is_right(const std::byte* got, const std::byte* want, bool negated) const {
    if (!negated || (type_ != Type::f32 && type_ != Type::f64))
      return std::memcmp(got, want, size_of(type_)) == 0;
    bool right = false;
    with_real_type(type_, [&]<class T>(T) {
      T x, y;
      std::memcpy(&x, got, sizeof x);
      std::memcpy(&y, want, sizeof y);
      right = x == -y || (std::isnan(x) && std::isnan(y));
    });
    return right;
  }

  Type type_;
  Room expected_;
  std::size_t bytes_;
};

} // namespace

std::unique_ptr<Oracle> exact_oracle(Type type, const Extents& extent,
                                     const std::function<void(const Array& expected)>& compute) {
  // Room for results of any type, so that a wrong one is found out and not a broken heap. Where
  // nothing is written, it takes no memory.
  const std::size_t count = extent[0] * extent[1] * extent[2], bytes = count * size_of(type);
  Room room(static_cast<std::byte*>(std::calloc(count + 1, largest_element)), std::free);
  if (room == nullptr) throw std::bad_alloc();
  compute({room.get(), extent, {extent[1] * extent[2], extent[2], 1}});
  if (std::any_of(room.get() + bytes, room.get() + bytes + largest_element,
                  [](std::byte b) { return b != std::byte{}; }))
    throw Error("exact_oracle: more was written than " + std::to_string(count) + " results of " +
                std::string(name_of(type)) + "; name the type of the output");
  return std::make_unique<ExactOracle>(type, std::move(room), bytes);
}

} // namespace ado::bench
