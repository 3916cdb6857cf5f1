// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The element types that arrays may have, by the names the command line and the records use.
#pragma once

#include <ado/core/error.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ado::detail {}

namespace ado::bench {

using namespace ado::detail; // internals have plain names here

/// Element type of an array.
enum class Type : std::uint8_t { i8, i16, i32, i64, f32, f64, c64, c128 };

/// An element type in C++: the type of its parts, how many it has (a complex number is a pair of
/// reals), and the type that adds them; void: they are only moved.
template <class Part_, std::size_t parts_, class Addend_ = void>
struct Element {
  using Part = Part_;
  using Addend = Addend_;
  static constexpr std::size_t parts = parts_;
  static constexpr bool is_floating = std::is_floating_point_v<Part>;
  static constexpr bool is_real = is_floating && parts == 1;
};

/// One for each Type, in enumerator order. A new type is one more here, and its name below.
/// Integers are added unsigned: such a sum wraps where a signed one would be undefined.
using Elements = std::tuple<Element<std::int8_t, 1>, Element<std::int16_t, 1>,
                            Element<std::int32_t, 1, std::uint32_t>,
                            Element<std::int64_t, 1, std::uint64_t>, Element<float, 1, float>,
                            Element<double, 1, double>, Element<float, 2>, Element<double, 2>>;
inline constexpr std::size_t type_count = std::tuple_size_v<Elements>;
inline constexpr std::array<std::string_view, type_count> type_names{"i8",  "i16", "i32", "i64",
                                                                     "f32", "f64", "c64", "c128"};

struct TypeInfo {
  Type type;
  std::string_view name;
  std::size_t bytes;
  bool floating;        ///< real or complex floating point
  double unit_roundoff; ///< u of one component (2^-24, 2^-53); 0 for integers
};

inline constexpr std::array<TypeInfo, type_count> type_table =
    []<std::size_t... k>(std::index_sequence<k...>) {
  const auto row = []<class E>(std::size_t at, E) {
    using Limits = std::numeric_limits<typename E::Part>;
    return TypeInfo{static_cast<Type>(at), type_names[at], sizeof(typename E::Part) * E::parts,
                    E::is_floating,
                    E::is_floating ? static_cast<double>(Limits::epsilon()) / 2 : 0.0};
  };
  return std::array{row(k, std::tuple_element_t<k, Elements>())...};
}
(std::make_index_sequence<type_count>());

constexpr const TypeInfo& info(Type type) { return type_table[static_cast<std::size_t>(type)]; }
/// Bytes of an element.
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
      add(type);
  }
  constexpr void add(Type type) { bits_ |= bit(type); }
  constexpr bool contains(Type type) const { return (bits_ & bit(type)) != 0; }

private:
  static constexpr unsigned bit(Type type) { return 1u << static_cast<unsigned>(type); }
  unsigned bits_ = 0;
};

/// The types of all elements for which `holds` is true.
template <class Predicate>
constexpr TypeSet types_where(Predicate holds) {
  return [&]<std::size_t... k>(std::index_sequence<k...>) {
    TypeSet set{};
    ((holds(std::tuple_element_t<k, Elements>()) ? set.add(static_cast<Type>(k)) : void()), ...);
    return set;
  }
  (std::make_index_sequence<type_count>());
}

/// Every Type. \hideinitializer
inline constexpr TypeSet all_types = types_where([](auto) { return true; });
/// f32 and f64. \hideinitializer
inline constexpr TypeSet real_types = types_where([]<class E>(E) { return E::is_real; });
/// Those that with_addend has. \hideinitializer
inline constexpr TypeSet addend_types =
    types_where([]<class E>(E) { return !std::is_void_v<typename E::Addend>; });

/// `f(E{})` with the Element of `type`.
template <class F>
void with_element_of(Type type, F&& f) {
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    ((type == static_cast<Type>(k) ? f(std::tuple_element_t<k, Elements>()) : void()), ...);
  }
  (std::make_index_sequence<type_count>());
}

/// `f(T{})` with the C++ type behind `type`, one of real_types: float or double.
template <class F>
auto with_real_type(Type type, F&& f) {
  if (type == Type::f32) return f(float{});
  if (type == Type::f64) return f(double{});
  throw InvalidArgument(std::string(name_of(type)) + ": is no real type");
}

/// `f(T{})` with the C++ type in which elements of `type`, one of addend_types, are added.
template <class F>
void with_addend(Type type, F&& f) {
  with_element_of(type, [&]<class E>(E) {
    if constexpr (std::is_void_v<typename E::Addend>)
      throw InvalidArgument(std::string(name_of(type)) + ": is not added");
    else
      f(typename E::Addend{});
  });
}

/// `f(T{}, parts)` with the C++ type of an element's parts and how many it has.
template <class F>
void with_parts(Type type, F&& f) {
  with_element_of(type, [&]<class E>(E) { f(typename E::Part{}, E::parts); });
}

} // namespace ado::bench
