// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank's part of an array is made and read with the same values as the whole, whichever extent is
// cut.
#include <ado/bench/data/workbench.hpp>
#include <ado/bench/io/npy.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <vector>

namespace ado::bench {
namespace {

constexpr Extents whole{5, 7, 9}, begin{2, 3, 4};

/// Three elements along extent `cut`; the whole if `cut` is 3.
template <std::size_t cut>
std::vector<ArraySpec> arrays(const Shape&) {
  std::vector<ArraySpec> specs{{"a", 3, whole}, {"b", 3, whole, true}};
  if constexpr (cut < 3)
    for (ArraySpec& spec : specs) {
      spec.whole = whole;
      spec.begin[cut] = begin[cut];
      spec.extent[cut] = 3;
    }
  return specs;
}
template <std::size_t cut>
const Algorithm algorithm{.name = "part",
                          .formula = "",
                          .sizes = {{"n"}},
                          .types = all_types,
                          .default_type = Type::f64,
                          .arrays = arrays<cut>,
                          .oracle = nullptr};

template <class Test>
void with_each_cut(const Test& test) {
  test(algorithm<0>, 0);
  test(algorithm<1>, 1);
  test(algorithm<2>, 2);
}

void expect_part(const Array& part, const Array& all, std::size_t cut) {
  Extents first{};
  first[cut] = begin[cut];
  for (std::size_t i = 0; i < part.extent[0]; ++i)
    for (std::size_t j = 0; j < part.extent[1]; ++j)
      for (std::size_t k = 0; k < part.extent[2]; ++k)
        ASSERT_EQ(
            part.as<double>()[(i * part.extent[1] + j) * part.extent[2] + k],
            all.as<double>()[((first[0] + i) * whole[1] + first[1] + j) * whole[2] + first[2] + k])
            << "extent " << cut << " is cut";
}

TEST(PartOfARank, IsMadeAsTheWhole) {
  HostData all({&algorithm<3>, {1, 1, 1}, Type::f64});
  all.make(DataKind::uniform, 3);
  with_each_cut([&](const Algorithm& of_rank, std::size_t cut) {
    HostData part({&of_rank, {1, 1, 1}, Type::f64});
    part.make(DataKind::uniform, 3);
    expect_part(part.input(0), all.input(0), cut);
  });
}

TEST(PartOfARank, IsReadFromTheFileOfTheWhole) {
  HostData all({&algorithm<3>, {1, 1, 1}, Type::f64});
  all.make(DataKind::uniform, 4);
  const std::string path = std::filesystem::path(testing::TempDir()) / "ado_part_test.npy";
  write_npy(path, Type::f64, 3, whole, all.input(0).data);
  with_each_cut([&](const Algorithm& of_rank, std::size_t cut) {
    HostData part({&of_rank, {1, 1, 1}, Type::f64});
    part.read(0, path, read_npy_header(path));
    expect_part(part.input(0), all.input(0), cut);
  });
  std::filesystem::remove(path);
}

} // namespace
} // namespace ado::bench
