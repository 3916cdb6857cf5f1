// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first step of means in one source: vectors that are few and long are summed piece by piece.
#pragma once

#include <ado/average/detail/vectors.hpp>
#include <ado/portable/row_sums.hpp>

#include <cstddef>

namespace ado::detail {

/// Calls f(v, plan), or f with the sums of the pieces in v's place, asynchronous on `exec`. `partial` holds
/// one::most_pieces() numbers.
template <class Exec, class T, class F>
void with_pieces_summed(const char* label, const Exec& exec, const VectorsRef<T>& v, T* partial,
                        const F& f) {
  const one::RowPlan plan = one::plan_rows<Exec>(v.all, v.count, sizeof(T));
  if (plan.pieces == 1) return f(v, plan);
  one::sum_pieces(label, exec, v, v.sets * v.length, v.count, v.wide(), one::Itself(), plan,
                  partial);
  const std::size_t pieces = plan.pieces;
  f(VectorsRef<T>{partial, v.sets, v.length, pieces, v.length * pieces, pieces},
    one::plan_rows<Exec>(v.all, pieces, sizeof(T)));
}

} // namespace ado::detail
