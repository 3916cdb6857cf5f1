// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The element types that arrays may have, by the names the command line and the records use.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace ado {

/// Element type of an array.
enum class Type : std::uint8_t { i8, i16, i32, i64, f32, f64, c64, c128 };

struct TypeInfo {
  Type type;
  std::string_view name;
  std::size_t bytes;
  bool floating;        ///< real or complex floating point
  double unit_roundoff; ///< u of one component (2^-24, 2^-53); 0 for integers
};

/// One row for each Type, in the order of the enumerators.
inline constexpr std::array<TypeInfo, 8> type_table{{
    {Type::i8, "i8", 1, false, 0.0},
    {Type::i16, "i16", 2, false, 0.0},
    {Type::i32, "i32", 4, false, 0.0},
    {Type::i64, "i64", 8, false, 0.0},
    {Type::f32, "f32", 4, true, 0x1p-24},
    {Type::f64, "f64", 8, true, 0x1p-53},
    {Type::c64, "c64", 8, true, 0x1p-24},
    {Type::c128, "c128", 16, true, 0x1p-53},
}};

constexpr const TypeInfo& info(Type type) { return type_table[static_cast<std::size_t>(type)]; }
constexpr std::size_t size_of(Type type) { return info(type).bytes; }
constexpr std::string_view name_of(Type type) { return info(type).name; }

constexpr std::optional<Type> type_named(std::string_view name) {
  for (const TypeInfo& row : type_table)
    if (row.name == name) return row.type;
  return std::nullopt;
}

/// A set of element types, small enough to be a literal in a variant's record.
class TypeSet {
public:
  constexpr TypeSet(std::initializer_list<Type> types) {
    for (Type type : types)
      bits_ |= bit(type);
  }
  constexpr bool contains(Type type) const { return (bits_ & bit(type)) != 0; }

private:
  static constexpr unsigned bit(Type type) { return 1u << static_cast<unsigned>(type); }
  unsigned bits_ = 0;
};

inline constexpr TypeSet real_types{Type::f32, Type::f64};
/// Those that with_addend has.
inline constexpr TypeSet addend_types{Type::i32, Type::i64, Type::f32, Type::f64};
inline constexpr TypeSet all_types{Type::i8,  Type::i16, Type::i32, Type::i64,
                                   Type::f32, Type::f64, Type::c64, Type::c128};

/// `f(T{})` with the C++ type behind `type`: float or double.
template <class F>
auto with_real_type(Type type, F&& f) {
  if (type == Type::f32) return f(float{});
  return f(double{});
}

/// `f(T{})` with the C++ type in which elements of `type` are added: float, double, or the unsigned
/// integer of 4 or 8 bytes, for an unsigned sum wraps where a signed one would be undefined.
template <class F>
void with_addend(Type type, F&& f) {
  switch (type) {
  case Type::i32:
    return f(std::uint32_t{});
  case Type::i64:
    return f(std::uint64_t{});
  case Type::f32:
    return f(float{});
  default:
    return f(double{});
  }
}

/// `f(T{}, parts)` with the C++ type that an element consists of and how many of it: a complex
/// number is a pair of reals.
template <class F>
void with_parts(Type type, F&& f) {
  switch (type) {
  case Type::i8:
    return f(std::int8_t{}, 1);
  case Type::i16:
    return f(std::int16_t{}, 1);
  case Type::i32:
    return f(std::int32_t{}, 1);
  case Type::i64:
    return f(std::int64_t{}, 1);
  case Type::f32:
    return f(float{}, 1);
  case Type::f64:
    return f(double{}, 1);
  case Type::c64:
    return f(float{}, 2);
  case Type::c128:
    return f(double{}, 2);
  }
}

} // namespace ado
