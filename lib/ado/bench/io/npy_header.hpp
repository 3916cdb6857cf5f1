// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dictionary at the start of a .npy file, as text. Private to the reader and the writer.
#pragma once

#include <ado/bench/io/npy.hpp>

#include <string>
#include <string_view>

namespace ado::bench::npy {

inline constexpr int max_rank = 3;

/// Throws InputError about the file `path`.
[[noreturn]] void refuse(const std::string& path, const std::string& problem);

/// "(3, 4)", "(3,)", "()": the shape as Python writes it.
std::string shape_text(int rank, const Extents& extent);

/// "<f4": the element type as NumPy names it, in this machine's byte order.
std::string dtype_text(Type type);

/// Reads type, order, rank, extents and bytes from the dictionary `text` of the file `path`;
/// data_offset stays 0.
NpyHeader parse_dictionary(const std::string& path, std::string_view text);

} // namespace ado::bench::npy
