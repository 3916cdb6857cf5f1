// Kernels in a row, each of which needs what the one before it wrote: what all variants share.
#pragma once
#include <ado/bench/bench.hpp>

#include <cstdint>

#if defined(__CUDACC__) || defined(__HIPCC__)
#define ON_DEVICE __host__ __device__
#else
#define ON_DEVICE
#endif

namespace launches {

namespace bench = ado::bench;

using Number = std::uint32_t; // sums wrap

/// The work of one kernel: adds b to what the kernel before it wrote.
struct Step {
  const Number *from, *b;
  Number* c;
  ON_DEVICE void operator()(std::size_t i) const { c[i] = from[i] + b[i]; }
};

/// As large as a functor that holds a table, or many Views.
template <std::size_t bytes>
struct StepOf : Step {
  unsigned char more[bytes - sizeof(Step)];
};
using Step5k =
    StepOf<5 << 10>; ///< more than the 4 KiB that were once the limit of a kernel's arguments
using Step40k = StepOf<40 << 10>; ///< more than CUDA takes as a kernel's arguments

/// Kernel k of a call: the first one reads a.
template <class S = Step>
S step(const bench::Call& call, std::size_t k) {
  S s{};
  s.c = call.arrays[2].as<Number>();
  s.from = k == 0 ? call.arrays[0].as<const Number>() : s.c;
  s.b = call.arrays[1].as<const Number>();
  return s;
}

inline std::size_t kernels(const bench::Call& call) { return call.shape[0]; }
inline std::size_t elements(const bench::Call& call) { return call.arrays[2].extent[0]; }

/// What a graph was made for; the next call may have the same.
struct Recorded {
  const void *a = nullptr, *b = nullptr, *c = nullptr;
  std::size_t kernels = 0, elements = 0;

  Recorded() = default;
  explicit Recorded(const bench::Call& call)
      : a(call.arrays[0].data),
        b(call.arrays[1].data),
        c(call.arrays[2].data),
        kernels(launches::kernels(call)),
        elements(launches::elements(call)) {}
  bool operator==(const Recorded&) const = default;
};

struct Launches {
  static constexpr std::string_view algorithm = "launches";
  static constexpr bench::TypeSet types{bench::Type::i32};
};

} // namespace launches
