// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv with many sets, on one CPU core: it averages some sets and multiplies their means
// while these are in its cache. So means stay out of memory, and cores that multiply leave the
// memory to those that read.
#pragma once

#include <ado/average_mv/detail/product/host.hpp>
#include <ado/core/checks.hpp>
#include <ado/host/streamed_stores.hpp>
#include <ado/host/thread_memory.hpp>

#include <algorithm>
#include <cstddef>

namespace ado::detail::host_sets {

/// The most sets at a time: then a row of y gets 2 KiB.
template <class T>
inline constexpr std::size_t most_sets = 2048 / sizeof(T);

/// Sets of `length` vectors of `count` numbers that a thread averages and multiplies at a time,
/// whole panels. 0: two steps are better, since sets are too few to go round, too long for a panel,
/// or of longer vectors. Means of longer vectors are few bytes, and a thread that goes from set to
/// set reads more slowly (docs/lab/constants.md#average_mv).
template <class T>
std::size_t sets_at_once(std::size_t sets, std::size_t length, std::size_t count,
                         std::size_t threads) {
  constexpr std::size_t most_count = 32;
  constexpr std::size_t most_bytes = 512 * 1024, panel = host_product::width<T>;
  if (sets == 0 || length == 0 || length > host_product::depth || count > most_count) return 0;
  const std::size_t fit = most_bytes / sizeof(T) / length / panel * panel;
  const std::size_t wanted = round_up(ceil_div(sets, 8 * threads), panel);
  const std::size_t at_once = std::min({wanted, std::max(fit, panel), most_sets<T>});
  return ceil_div(sets, at_once) < 4 * threads ? 0 : at_once;
}

/// Rows of y on their way past the cache.
template <class T>
struct alignas(64) RowsOfY {
  static constexpr std::size_t apart = most_sets<T> + host_product::line<T>; // off one cache set
  T element[host_product::rows_at_once * apart];
};

/// Multiplies the means of `sets` sets from set n on. `panels` holds those of whole panels.
/// `stream`: past the cache.
template <class T>
void multiply(const Product<T>& p, std::size_t n, std::size_t sets, const T* means, T* panels,
              bool stream) {
  constexpr std::size_t apart = RowsOfY<T>::apart;
  host_product::pack_panels(host_product::Means<T>{means, p.length, sets}, p.length, panels);
  T* const y = p.y + n * p.y_column;
  T* const rows = stream ? memory_of_thread<RowsOfY<T>>().element : nullptr;
  host_product::for_groups(p.rows, [&](std::size_t i, std::size_t count) {
    host_product::Rows<T> to{p.a + i * p.lda, p.lda,      p.length, y + i * p.y_row,
                             p.y_row,         p.y_column, false};
    if (!stream) return host_product::multiply_panels(count, to, sets, panels);
    to.y = rows;
    to.y_row = apart;
    host_product::multiply_panels(count, to, sets, panels);
    for (std::size_t r = 0; r < count; ++r)
      stream_elements(y + (i + r) * p.y_row, rows + r * apart, sets);
  });
  if (stream) stream_fence();
}

/// Whether y is so large that it goes past the cache.
template <class T>
bool streams(const Product<T>& p) {
  return p.y_column == 1 && p.sets * p.rows * sizeof(T) >= streamed_bytes;
}

} // namespace ado::detail::host_sets
