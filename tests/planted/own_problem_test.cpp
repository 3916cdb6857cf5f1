// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A user's own problem: an output of three extents, an oracle of terms.
#include "variant_test.hpp"
#include <ado/bench/data/workbench.hpp>
#include <ado/bench/device/device.hpp>
#include <ado/registry/sum_oracle.hpp>

#include <gtest/gtest.h>

namespace ado::bench {
namespace {

/// w[i][j][k] = u[i][j][k] + u[i][j][0]
const Algorithm cube{.name = "cube",
                     .formula = "",
                     .sizes = {{"planes"}, {"rows"}, {"cols"}},
                     .types = real_types,
                     .default_type = Type::f64,
                     .arrays =
                         [](const Shape& s) {
                           return std::vector<ArraySpec>{{"u", 3, s}, {"w", 3, s, true}};
                         },
                     .oracle =
                         [](Type type, const Shape& s, const std::vector<Array>& in) {
                           return oracle_of_sums(
                               type, s[0] * s[1] * s[2], 2,
                               [in, s]<class T>(OracleSum<T>& sum, std::size_t k) {
                                 const Array& u = in[0];
                                 const std::size_t i = k / s[2] / s[1], j = k / s[2] % s[1];
                                 const T* row = u.as<const T>() + i * u.stride[0] + j * u.stride[1];
                                 sum.add(row[k % s[2]]);
                                 sum.add(row[0]);
                               });
                         }};

enum class Fault { none, last_left_out, one_wrong, between_rows, between_planes };

template <Fault fault>
void add(const Call& call) {
  const Array &u = call.arrays[0], &w = call.arrays[1];
  const Shape& s = call.shape;
  for (std::size_t i = 0; i < s[0]; ++i)
    for (std::size_t j = 0; j < s[1]; ++j)
      for (std::size_t k = 0; k < s[2]; ++k) {
        const bool last = i + 1 == s[0] && j + 1 == s[1] && k + 1 == s[2];
        if (last && fault == Fault::last_left_out) continue;
        const double* row = u.as<const double>() + i * u.stride[0] + j * u.stride[1];
        const double off = fault == Fault::one_wrong && i == 1 && j == 2 && k == 3 ? 1 : 0;
        w.as<double>()[i * w.stride[0] + j * w.stride[1] + k] = row[k] + row[0] + off;
      }
  if (fault == Fault::between_rows) w.as<double>()[s[2]] = 0;
  if (fault == Fault::between_planes) w.as<double>()[w.stride[0] - 1] = 0;
}

/// The verdict on a variant with this fault, on arrays with gaps between rows and planes.
template <Fault fault>
std::string said_of(const Shape& shape, std::size_t padding) {
  const Variant variant{.algorithm = "cube",
                        .name = "loops",
                        .model = Model::openmp,
                        .backend = host_backend,
                        .types = real_types,
                        .summary = "",
                        .file = "",
                        .run = add<fault>,
                        .rounding_steps = [](const Shape&, Type, const Launch&) { return 1.0; }};
  const auto device = open_device_of(variant);
  HostData data({&cube, shape, Type::f64}, rows_apart(padding));
  data.make(DataKind::uniform, 1);
  Workbench bench(*device, data, 1);
  bench.prepare(variant, 0, 0);
  bench.run(variant, 0);
  device->fence();
  return bench.verify(0, 1.0).first_wrong;
}

TEST(OwnProblem, AnOutputOfThreeExtentsIsVerified) {
  for (const Shape& shape :
       {Shape{2, 3, 5}, Shape{1, 1, 1}, Shape{3, 1, 1}, Shape{2, 4, 1}, Shape{1, 1, 7}})
    for (const std::size_t padding : {0, 3})
      EXPECT_EQ(said_of<Fault::none>(shape, padding), "") << shape[0] << shape[1] << shape[2];
  // Several chunks of the oracle.
  EXPECT_EQ(said_of<Fault::none>({3, 170, 101}, 0), "");
}

TEST(OwnProblem, AFaultInAnOutputOfThreeExtentsIsNamed) {
  const auto expect = [](const std::string& said, const std::string& text) {
    EXPECT_NE(said.find(text), std::string::npos) << said;
  };
  for (const std::size_t padding : {0, 3}) {
    expect(said_of<Fault::last_left_out>({2, 3, 5}, padding), "[1][2][4] was not written");
    expect(said_of<Fault::last_left_out>({3, 170, 101}, padding), "[2][169][100] was not written");
    expect(said_of<Fault::one_wrong>({2, 3, 5}, padding), "[1][2][3] is ");
  }
  expect(said_of<Fault::between_rows>({2, 3, 5}, 3), "memory between the output's rows");
  expect(said_of<Fault::between_planes>({2, 3, 5}, 3), "memory between the output's rows");
}

} // namespace
} // namespace ado::bench
