// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Real data through the mini-app: .npy files in and out, and all that can be wrong with them.
#include "program.hpp"
#include <ado/core/bound.hpp>

#include <cmath>
#include <cstring>
#include <random>

namespace ado::bench {
namespace {

/// A packed row-major array and its extents.
template <class T>
struct Matrix {
  Extents extent;
  std::vector<T> data;
};

template <class T>
Matrix<T> random_matrix(const Extents& extent, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-100, 100);
  Matrix<T> m{extent, std::vector<T>(extent[0] * extent[1] * extent[2])};
  for (T& element : m.data)
    element = static_cast<T>(uniform(generator));
  return m;
}

class MiniappFiles : public MiniappRun {
protected:
  /// Saves an array of this rank as NumPy would; returns "name=path".
  template <class T>
  std::string save(const std::string& name, const Matrix<T>& m, int rank, const std::string& descr,
                   bool fortran_order = false) const {
    std::string shape = "(";
    for (int d = 0; d < rank; ++d)
      shape += std::to_string(m.extent[d]) + (rank == 1 ? "," : d + 1 < rank ? ", " : "");
    std::string bytes(reinterpret_cast<const char*>(m.data.data()), m.data.size() * sizeof(T));
    if (fortran_order) bytes = npy_files::fortran(bytes, m.extent, sizeof(T));
    std::ofstream(path(name + ".npy"), std::ios::binary)
        << npy_files::npy(npy_files::dictionary(descr, fortran_order, shape + ")"), bytes);
    return name + "=" + path(name + ".npy");
  }

  template <class T>
  std::vector<T> load(const std::string& name, Type type, const Extents& extent) const {
    const NpyHeader header = read_npy_header(path(name + ".npy"));
    EXPECT_EQ(header.type, type);
    EXPECT_EQ(header.extent, extent);
    std::vector<T> data(header.bytes / sizeof(T));
    read_npy(path(name + ".npy"), header, data.data());
    return data;
  }

  void expect_success(const std::string& command_line) const {
    const Outcome outcome = miniapp(command_line);
    EXPECT_EQ(outcome.status, 0) << outcome;
  }

  /// The variants that the round trips use.
  Words sides() const {
    const std::string portable = "--model kokkos --variant team --reps 2 ";
    return {portable, "--model openmp --variant team --reps 2 --backend " + host_backend() + " ",
            "--model serial --variant serial --reps 2 --backend " + host_backend() + " "};
  }
};

TEST_F(MiniappFiles, AverageMvGivesTheMeansTimesTheMatrix) {
  const std::size_t sets = 5, length = 7, vectors = 33;
  const auto v = random_matrix<float>({sets, length, vectors}, 1);
  const auto a = random_matrix<float>({length, length, 1}, 2);
  const std::string inputs = " --input " + save("v", v, 3, "<f4") + " --input " +
                             save("a", a, 2, "<f4") + " --output y=" + path("y.npy");
  // count - 1 additions, a division or a reciprocal and a product, a product, length - 1 additions.
  const double gamma = gamma_bound(double(vectors + length + 1), 0x1p-24);
  for (const std::string& side : sides()) {
    expect_success("--algorithm average_mv " + side + inputs);
    const auto y = load<float>("y", Type::f32, {length, sets, 1});
    for (std::size_t i = 0; i < length; ++i)
      for (std::size_t n = 0; n < sets; ++n) {
        long double sum = 0, magnitude = 0;
        for (std::size_t j = 0; j < length; ++j)
          for (std::size_t m = 0; m < vectors; ++m) {
            const long double term = static_cast<long double>(a.data[i * length + j]) *
                                     v.data[(n * length + j) * vectors + m] / vectors;
            sum += term;
            magnitude += std::fabs(term);
          }
        EXPECT_LE(std::fabs(double(y[i * sets + n]) - double(sum)), gamma * double(magnitude))
            << side << "y[" << i << "][" << n << "]";
      }
  }
}

TEST_F(MiniappFiles, TransposeGivesEveryElementItsPlaceFromBothOrders) {
  const std::size_t rows = 37, columns = 65;
  const auto a = random_matrix<std::int64_t>({rows, columns, 1}, 3);
  for (const bool fortran_order : {false, true}) {
    const std::string input = " --input " + save("a", a, 2, "<i8", fortran_order);
    for (const std::string& side : sides()) {
      expect_success("--algorithm transpose " + side + input + " --output b=" + path("b.npy"));
      const auto b = load<std::int64_t>("b", Type::i64, {columns, rows, 1});
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j)
          ASSERT_EQ(b[j * rows + i], a.data[i * columns + j]) << side << i << ", " << j;
    }
  }
}

TEST_F(MiniappFiles, YaxGivesTheProductFromBothOrders) {
  const std::size_t rows = 41, columns = 67;
  const auto y = random_matrix<double>({rows, 1, 1}, 4);
  const auto a = random_matrix<double>({rows, columns, 1}, 5);
  const auto x = random_matrix<double>({columns, 1, 1}, 6);
  long double sum = 0, magnitude = 0;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      const long double term =
          static_cast<long double>(y.data[i]) * a.data[i * columns + j] * x.data[j];
      sum += term;
      magnitude += std::fabs(term);
    }
  const double bound = gamma_bound(double(rows + columns), 0x1p-53) * double(magnitude);
  const std::string vectors = " --input " + save("y", y, 1, "<f8") + " " + save("x", x, 1, "<f8");
  for (const bool fortran_order : {false, true}) {
    const std::string input = vectors + " --input yax." + save("a", a, 2, "<f8", fortran_order);
    for (const std::string& side : sides()) {
      expect_success("--algorithm yax " + side + input + " --output result=" + path("r.npy"));
      const auto result = load<double>("r", Type::f64, {1, 1, 1});
      EXPECT_LE(std::fabs(result.at(0) - double(sum)), bound) << side;
    }
  }
}

TEST_F(MiniappFiles, ABareNameMustBelongToOneAlgorithm) {
  const std::string a = save("a", random_matrix<double>({3, 4, 1}, 7), 2, "<f8");
  expect_refused("--input " + a, {"ambiguous", "average_mv.a or transpose.a", "--algorithm"});
  expect_refused("--algorithm yax,transpose --input " + a, {"yax.a or transpose.a"});
  expect_refused("--algorithm yax --input " + a + " --input yax." + a,
                 {"yax.a was already given as"});
  expect_refused("--algorithm yax --input z=" + path("a.npy"),
                 {"no such array", "yax.y, yax.a, yax.x"});
  expect_refused("--algorithm yax --input result=" + path("a.npy"), {"no such array"});
  const Outcome both =
      miniapp("--algorithm transpose,yax --variant team --reps 1 --rows 3 --cols 4 "
              "--input yax." +
              a);
  EXPECT_EQ(both.status, 0) << both;
  const std::string y = save("y", random_matrix<double>({3, 1, 1}, 12), 1, "<f8");
  const Outcome another = miniapp("--algorithm average_mv,yax --variant team --reps 1 --sets 2 "
                                  "--length 3 --vectors 4 --cols 5 --input " +
                                  y);
  EXPECT_EQ(another.status, 0) << "y is also the output of average_mv" << another;
}

TEST_F(MiniappFiles, FilesThatCannotBeReadAreRefused) {
  const std::string one = "--algorithm transpose --input a=";
  expect_refused(one + path("absent.npy"), {path("absent.npy"), "No such file"});
  expect_refused(one + folder_.string(), {"is a directory"});
  expect_refused(one + put(""), {"is empty"});
  expect_refused(one + put("not an array"), {"is not a .npy file"});
  expect_refused(one + put(npy_files::npy(npy_files::f4_2x3, std::string(23, 'x'))),
                 {"is truncated", "24 bytes", "23 found"});
  expect_refused(one + put(npy_files::npy(npy_files::f4_2x3, std::string(25, 'x'))),
                 {"has trailing data"});
  expect_refused(one + put(npy_files::npy(npy_files::dictionary("|S5", false, "(2,)"), "")),
                 {"|S5"});
  expect_refused(one, {"write ARRAY=FILE"});
  expect_refused("--algorithm transpose --input a", {"write ARRAY=FILE"});
}

TEST_F(MiniappFiles, FilesOfTheWrongTypeOrShapeAreRefused) {
  const std::string doubles = save("a", random_matrix<double>({3, 4, 1}, 8), 2, "<f8");
  const std::string integers = save("x", random_matrix<std::int32_t>({4, 1, 1}, 9), 1, "<i4");
  const std::string yax = "--algorithm yax --input ";
  expect_refused(yax + doubles + " --type f32", {"--type f32", "hold f64", "astype"});
  expect_refused(yax + doubles + " " + integers, {"i32", "f64", "astype"});
  expect_refused(yax + integers, {"holds i32, which yax does not have"});
  expect_refused(yax + "x=" + path("a.npy"), {"(3, 4)", "yax.x has 1 dimensions"});
  expect_refused("--algorithm average_mv --input a=" + path("a.npy"),
                 {"(3, 4)", "length = 4", "gives 3"});
  save("x", random_matrix<double>({5, 1, 1}, 10), 1, "<f8");
  expect_refused(yax + doubles + " x=" + path("x.npy"), {"cols = 5", "gives 4"});
  expect_refused(yax + doubles + " --rows 5", {"--rows 5", "the input files make it 3"});
  expect_refused(yax + doubles + " --sweep cols=4,5",
                 {"--sweep cols=4,5", "the input files make cols 4", "leave out one"});
}

TEST_F(MiniappFiles, OutputsThatCannotBeWrittenAreRefusedBeforeTheRun) {
  const std::string one = "--algorithm yax --variant team --model kokkos --rows 3 --cols 4 ";
  expect_refused(one + "--output result=" + path("no/r.npy"), {path("no/r.npy"), "No such file"});
  expect_refused(one + "--output result=/dev/full", {"/dev/full", "is not a regular file"});
  expect_refused(one + "--output result=" + folder_.string(), {"is not a regular file"});
  expect_refused(one + "--json " + path("no/r.json"), {path("no/r.json"), "No such file"});
  expect_refused(one + "--json /dev/full", {"/dev/full", "is not a regular file"});
  expect_refused("--algorithm yax --output result=" + path("r.npy"), {"exactly one", "--variant"});
  expect_refused("--algorithm yax --variant team --output result=" + path("r.npy"), {"--model"});
  expect_refused(one + "--type f32,f64 --output result=" + path("r.npy"), {"--type"});
  EXPECT_EQ(files(), 0u) << "something was left behind";
}

TEST_F(MiniappFiles, NoFileIsUsedTwice) {
  const std::string a = save("a", random_matrix<double>({3, 4, 1}, 11), 2, "<f8");
  const std::string one = "--algorithm yax --variant team --model kokkos --input " + a + " ";
  expect_refused(one + "--input a=" + path("b.npy"), {"a was already given as", path("a.npy")});
  expect_refused(one + "--output result=" + path("r.npy") + " --output result=" + path("s.npy"),
                 {"result was already given as", path("r.npy")});
  expect_refused(one + "--output result=" + path("a.npy"), {"--output result", "--input a"});
  expect_refused(one + "--json " + path("a.npy"), {"--json", "--input a"});
  const std::string detour = path("../" + folder_.filename().string() + "/r.npy");
  expect_refused(one + "--output result=" + path("r.npy") + " --json " + detour,
                 {"--output result", "--json"});
  std::filesystem::create_symlink(path("a.npy"), path("link.npy"));
  expect_refused(one + "--output result=" + path("link.npy"), {"--output result", "--input a"});
  EXPECT_EQ(read(path("a.npy")).size(), 12 * sizeof(double)) << "the input was touched";
}

} // namespace
} // namespace ado::bench
