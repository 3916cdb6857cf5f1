// launches, kokkos
//   mapping   calls: a parallel_for for each kernel. fences: and a fence behind each. instances:
//             four parts of the arrays, the kernels of each on an execution space instance of its
//             own. functor_5k, functor_40k: calls, with a functor of so many bytes. fused: one
//             kernel that does the work of all
//   bytes     each kernel reads two arrays and writes one; fused: once
//   teaches   on a GPU a launch is queued, so the next one hides it; a fence ends that. In
//             Kokkos 4 a functor of 512 bytes or more is copied to the device before each launch,
//             from 5.0 on one of 32 KiB or more
#include "launches.hpp"
#include <ado/portable/variant.hpp>

#include <vector>

namespace launches {

namespace {

template <class Exec>
using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;

template <class S, class Exec>
void launch_all(const Exec& exec, const bench::Call& call, bool fence) {
  S kernel = step<S>(call, 0);
  for (std::size_t k = 0; k < kernels(call); ++k) {
    Kokkos::parallel_for("launches", Range<Exec>(exec, 0, elements(call)), kernel);
    if (fence) exec.fence("launches");
    kernel.from = kernel.c;
  }
}

struct Calls : Launches {
  static constexpr std::string_view name = "calls", summary = "a parallel_for for each kernel";
  template <class Exec>
  static void run(const Exec& exec, const bench::Call& call) {
    launch_all<Step>(exec, call, false);
  }
};

struct Fences : Launches {
  static constexpr std::string_view name = "fences", summary = "a fence behind each kernel";
  template <class Exec>
  static void run(const Exec& exec, const bench::Call& call) {
    launch_all<Step>(exec, call, true);
  }
};

struct Functor5k : Launches {
  static constexpr std::string_view name = "functor_5k", summary = "a functor of 5 KiB";
  template <class Exec>
  static void run(const Exec& exec, const bench::Call& call) {
    launch_all<Step5k>(exec, call, false);
  }
};

struct Functor40k : Launches {
  static constexpr std::string_view name = "functor_40k", summary = "a functor of 40 KiB";
  template <class Exec>
  static void run(const Exec& exec, const bench::Call& call) {
    launch_all<Step40k>(exec, call, false);
  }
};

struct Fused : Launches {
  static constexpr std::string_view name = "fused", summary = "one kernel does it all";
  template <class Exec>
  static void run(const Exec& exec, const bench::Call& call) {
    Kokkos::parallel_for("fused", Range<Exec>(exec, 0, elements(call)),
                         Kernel{step(call, 0), Number(kernels(call))});
  }
  struct Kernel {
    Step first;
    Number times;
    KOKKOS_FUNCTION void operator()(std::size_t i) const {
      first.c[i] = first.from[i] + times * first.b[i];
    }
  };
};

/// Kokkos has no events: instances wait for each other by fences.
struct Instances : Launches {
  static constexpr std::string_view name = "instances",
                                    summary = "four parts, each on its own instance";
  template <class Exec> // on a CPU a launch returns when it is done
  static constexpr bool runs_on = !Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible;

  template <class Exec>
  static std::vector<Exec>& kept() {
    static std::vector<Exec> instances;
    return instances;
  }
  template <class Exec>
  static void prepare(const Exec& exec, const bench::Call&) {
    if (!kept<Exec>().empty()) return;
    // A vector before Kokkos 5, an array since.
    const auto parts = Kokkos::Experimental::partition_space(exec, 1, 1, 1, 1);
    kept<Exec>().assign(parts.begin(), parts.end());
    Kokkos::push_finalize_hook([] { kept<Exec>().clear(); });
  }
  template <class Exec>
  static void run(const Exec& exec, const bench::Call& call) {
    const std::vector<Exec>& instances = kept<Exec>();
    const std::size_t n = elements(call);
    exec.fence("before the instances");
    for (std::size_t k = 0; k < kernels(call); ++k)
      for (std::size_t part = 0; part < 4; ++part)
        Kokkos::parallel_for("launches",
                             Range<Exec>(instances[part], n * part / 4, n * (part + 1) / 4),
                             step(call, k));
    for (const Exec& instance : instances)
      instance.fence("behind the instances");
  }
};

const bench::PortableVariant<Calls> calls{__FILE__};
const bench::PortableVariant<Fences> fences{__FILE__};
const bench::PortableVariant<Functor5k> functor_5k{__FILE__};
const bench::PortableVariant<Functor40k> functor_40k{__FILE__};
const bench::PortableVariant<Fused> fused{__FILE__};
const bench::PortableVariant<Instances> instances{__FILE__};

} // namespace

} // namespace launches
