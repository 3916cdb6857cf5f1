// scan, openmp, no_carry: wrong on purpose
//   teaches   what the instrument says if each part begins at zero
#include "scan.hpp"

#include <algorithm>

namespace bench = ado::bench;

namespace scan {

struct ScanWithoutCarry : ScanVariant {
  static constexpr std::string_view name = "no_carry", summary = "each part begins at zero: wrong";
  static constexpr bench::Model model = bench::Model::openmp;

  static void run(const bench::Call& call) {
    const std::size_t n = call.shape[0], part = n / 4 + 1;
    with_unsigned(call.type, [&]<class T>(T) {
#pragma omp parallel for num_threads(call.queue.threads)
      for (std::size_t t = 0; t < 4; ++t) {
        T sum = 0;
        for (std::size_t i = t * part; i < std::min((t + 1) * part, n); ++i)
          call.arrays[1].as<T>()[i] = sum += call.arrays[0].as<const T>()[i];
      }
    });
  }
};
const bench::HostVariant<ScanWithoutCarry> registered{__FILE__};

} // namespace scan
