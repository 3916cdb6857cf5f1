// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the variants of vector_add, portable and native, have in common.
#pragma once

#include <ado/registry/types.hpp>
#include <ado/registry/variant.hpp>
#include <ado/vector_add/accesses.hpp>

#include <string_view>
#include <vector>

namespace ado::bench {

struct VectorAddVariant {
  static constexpr std::string_view algorithm = "vector_add";
  static constexpr TypeSet types = addend_types;
  static double rounding_steps(const Shape&, Type) { return 1; }
};

/// Lanes side by side, each with an element.
struct VectorAddByElements : VectorAddVariant {
  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return vector_add_accesses::side_by_side(s, type);
  }
};

/// Lanes side by side, each with 16 bytes.
struct VectorAddByPacks : VectorAddVariant {
  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return vector_add_accesses::side_by_side(s, type, 16 / size_of(type));
  }
};

} // namespace ado::bench
