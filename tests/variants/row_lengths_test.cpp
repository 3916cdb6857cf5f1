// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums along rows of every length. The rest that does not fill a register is read again in a
// register that ends with the row; elements that it reads twice must count once.
#include "variant_test.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ado::bench {
namespace {

class RowLengths : public VariantTest {
protected:
  static constexpr std::size_t rows = 6; ///< four at once, and two left over
  bool is_yax() const { return algorithm().name == "yax"; }
  HostData rows_of(std::size_t length) const {
    return HostData(problem(is_yax() ? Shape{rows, length, 1} : Shape{1, rows, length}),
                    Placement{.padding = 3, .offset = 1});
  }
  const Array& input_of_rows(const HostData& data) const { return data.input(is_yax() ? 1 : 0); }

  const Array& result_of(Workbench& bench) {
    bench.reserve_workspace(variant());
    bench.prepare(variant(), 0, 0);
    bench.run(variant(), 0);
    const Check check = bench.verify(0, bench.rounding_steps(variant(), {}));
    EXPECT_TRUE(check.ok) << check.first_wrong;
    return bench.host_output(0);
  }
};

TEST_P(RowLengths, AnInfinityAnywhereIsThatOfTheSum) {
  for (std::size_t length = 1; length <= 40; ++length)
    for (std::size_t place = 0; place < length; ++place)
      with_real_type(type(), [&](auto zero) {
        using T = decltype(zero);
        HostData data = rows_of(length);
        data.make(DataKind::ones_twos, 1);
        const Array& v = input_of_rows(data);
        const std::size_t apart = v.stride[is_yax() ? 0 : 1];
        for (std::size_t row = 0; row < rows; ++row)
          v.as<T>()[row * apart + place] = std::numeric_limits<T>::infinity();
        Workbench bench(device(), data, 1);
        const Array& sums = result_of(bench);
        const std::size_t count = is_yax() ? 1 : rows;
        EXPECT_TRUE(std::all_of(sums.as<T>(), sums.as<T>() + count,
                                [](T sum) { return sum == std::numeric_limits<T>::infinity(); }))
            << length << " long, infinite at " << place;
      });
}

TEST_P(RowLengths, SameRowsHaveTheSameBits) {
  if (is_yax()) GTEST_SKIP() << "it has one output";
  for (const std::size_t length : {1, 2, 3, 7, 12, 31, 64, 127, 1000, 4099})
    with_real_type(type(), [&](auto zero) {
      using T = decltype(zero);
      HostData data = rows_of(length);
      data.make(DataKind::uniform, 5);
      const Array& v = input_of_rows(data);
      for (std::size_t row = 1; row < rows; ++row)
        std::copy_n(v.as<T>(), length, v.as<T>() + row * v.stride[1]);
      Workbench bench(device(), data, 1);
      const T* const means = result_of(bench).as<T>();
      for (std::size_t row = 1; row < rows; ++row)
        EXPECT_EQ(means[row], means[0]) << "row " << row << " of " << length;
    });
}

ADO_FOR_VARIANTS(RowLengths, [](const VariantCase& c) {
  return has_many_ways(c) && (c.variant->algorithm == "average" || c.variant->algorithm == "yax");
});

} // namespace
} // namespace ado::bench
