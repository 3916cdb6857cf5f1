// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose, kokkos, exercise_padding: b[j][i] = a[i][j]. Lesson 4
//   mapping   as `tiled`
//   scratch   the tile, 32 x (32 + padding) elements
//   bytes     reads a once, writes b once
//   teaches   one number decides how many passes over the 32 banks a column takes
// Your part: the number. --diagnose-all shows the passes that it leads to, on any machine; f32 and f64 both count.
//   hint 1    element (i, j) of 4 bytes lies in bank (i * (32 + padding) + j) % 32. Lanes have neighbouring i
//   hint 2    elements of 8 bytes take two banks each, so 16 lanes at a time are the best that can be had: 2 passes
//   hint 3    try --type f32,f64 and paddings of 0, 1, 2 and 16 before you think about it
#include <ado/portable/variant.hpp>
#include <ado/transpose/accesses.hpp>
#include <ado/transpose/kokkos/tiled.hpp>

namespace ado {

// yours: begin
constexpr int exercise_padding = 0;
// yours: end

struct ExercisePaddingVariant {
  static constexpr std::string_view algorithm = "transpose", name = "exercise_padding";
  static constexpr std::string_view summary = "lesson 4: which padding leaves no bank conflict";
  static constexpr TypeSet types = all_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return transpose_accesses::tiled(s, type, 8, exercise_padding);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    transpose_tiled<exercise_padding>("ado::transpose[exercise_padding]", exec, call);
  }
};
const PortableVariant<ExercisePaddingVariant> exercise_padding_registered{__FILE__};

} // namespace ado
