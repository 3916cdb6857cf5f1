// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The .npy reader: any bytes are an array or an InputError, and an array written again reads back.
#include "target.hpp"
#include <ado/bench/io/npy.hpp>

#include <vector>

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder;
  const std::string path = folder.put("a.npy", fuzz::text_of(data, size));
  try {
    const ado::bench::NpyHeader header = ado::bench::read_npy_header(path);
    fuzz::require(header.data_offset + header.bytes == size, "the header accounts for every byte");
    std::vector<char> elements(header.bytes), again(header.bytes);
    ado::bench::read_npy(path, header, elements.data());

    const std::string copy = folder.path("b.npy");
    ado::bench::write_npy(copy, header.type, header.rank, header.extent, elements.data());
    const ado::bench::NpyHeader copied = ado::bench::read_npy_header(copy);
    fuzz::require(copied.type == header.type && copied.rank == header.rank &&
                      copied.extent == header.extent && copied.bytes == header.bytes,
                  "a written header reads back");
    ado::bench::read_npy(copy, copied, again.data());
    fuzz::require(again == elements, "written elements read back");
  } catch (const ado::bench::InputError&) {
  }
  return 0;
}
