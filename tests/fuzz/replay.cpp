// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Feeds a fuzz target the files of the given folders, in a build by any compiler. If clang built
// the target, libFuzzer does the same.
#include "target.hpp"

#include <algorithm>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

namespace {

std::vector<std::filesystem::path> files_in(const char* folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

} // namespace

int main(int argc, char** argv) {
  std::size_t count = 0;
  for (int k = 1; k < argc; ++k)
    for (const auto& path : files_in(argv[k])) {
      std::ifstream stream(path, std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
      std::cerr << path.filename().string()
                << std::endl; // before the bytes, which may end the program
      try {
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
      } catch (const std::exception& error) {
        std::cerr << "  threw what no caller catches: " << error.what() << '\n';
        return 1;
      }
      ++count;
    }
  std::cout << count << " inputs\n";
  return count > 0 ? 0 : 2; // a folder without files tests nothing
}
