// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers one portable variant on every execution space that Kokkos was built with.
#pragma once

#include <ado/registry/registry.hpp>
#include <ado/registry/variant_record.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ado::bench {

/// Calls `f.template operator()<Exec>(name)` for every execution space of this Kokkos, with its
/// name on the command line and in records.
template <class F>
void for_each_space(F&& f) {
#ifdef KOKKOS_ENABLE_SERIAL
  f.template operator()<Kokkos::Serial>("serial");
#endif
#ifdef KOKKOS_ENABLE_OPENMP
  f.template operator()<Kokkos::OpenMP>("openmp");
#endif
#ifdef KOKKOS_ENABLE_THREADS
  f.template operator()<Kokkos::Threads>("threads");
#endif
#ifdef KOKKOS_ENABLE_CUDA
  f.template operator()<Kokkos::Cuda>("cuda");
#endif
#ifdef KOKKOS_ENABLE_HIP
  f.template operator()<Kokkos::HIP>("hip");
#endif
#ifdef KOKKOS_ENABLE_SYCL
  f.template operator()<Kokkos::SYCL>("sycl");
#endif
}

/// Registers V with `const PortableVariant<V> registered{__FILE__};`. V has the static members
///
///     std::string_view algorithm, name, summary;
///     TypeSet types;
///     template <class Exec> void run(const Exec&, const Call&);
///     template <class Exec> double rounding_steps(const Shape&, Type);
///
/// `rounding_steps` has a `const Launch&` as a last parameter if the order of summation depends on
/// it. It is not a template if it does not depend on Exec, and left out if V only moves elements.
/// Where it needs them, as in Variant:
///
///     std::size_t workspace_bytes(const Shape&, Type);
///     template <class Exec> void prepare(const Exec&, const Call&);
///     std::vector<Access> accesses(const Shape&, Type, const Launch&);
///     bool takes_team_size, takes_league_size, takes_stride, pageable_staging;
///     std::array<Cause, n> cures;   // what it mends in the rungs below
///     std::string_view compared_with;   // the variant to run in turn with, if none is by hand
///     std::size_t staging_bytes(const Shape&, Type);
///     template <class Exec> bool runs_on;   // where it does not run on every space
///     Model model;   // where that is not Model::kokkos
///     Library host_library();   // what it calls on a CPU
template <class V>
class PortableVariant {
public:
  explicit PortableVariant(std::string_view file) {
    for_each_space([&]<class Exec>(std::string_view backend) {
      if constexpr (runs_on<Exec>()) add<Exec>(backend, file);
    });
  }

private:
  template <class Exec>
  static constexpr bool runs_on() {
    if constexpr (requires { V::template runs_on<Exec>; })
      return V::template runs_on<Exec>;
    else
      return true;
  }
  template <class Exec>
  static void add(std::string_view backend, std::string_view file) {
    Variant record = record_of<V>(Model::kokkos, backend, file);
    record.run = &run<Exec>;
    if constexpr (requires { &V::host_library; })
      if (Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible)
        record.library = &V::host_library;
    if constexpr (requires { &V::template rounding_steps<Exec>; })
      record.rounding_steps = &rounding_steps<Exec>;
    if constexpr (requires { &V::workspace_bytes; }) record.workspace_bytes = &V::workspace_bytes;
    // nvcc 13.0 leaves out the kernels of a function whose address it first sees in `requires`.
    if constexpr (requires(const Exec& exec, const Call& call) { V::prepare(exec, call); })
      record.prepare = &prepare<Exec>;
    else
      static_assert(
          !requires { &V::template prepare<Exec>; }, "prepare takes (exec, call)");
    Registration{record};
  }

  template <class Exec>
  static void run(const Call& call) {
    V::run(*static_cast<const Exec*>(call.queue.instance), call);
  }
  template <class Exec>
  static void prepare(const Call& call) {
    V::prepare(*static_cast<const Exec*>(call.queue.instance), call);
  }
  template <class Exec>
  static double rounding_steps(const Shape& shape, Type type, const Launch& launch) {
    if constexpr (requires { V::template rounding_steps<Exec>(shape, type, launch); })
      return V::template rounding_steps<Exec>(shape, type, launch);
    else
      return V::template rounding_steps<Exec>(shape, type);
  }
};

/// An unmanaged View whose last stride the compiler knows to be 1, as an Array promises. With a
/// LayoutStride View an address has to be computed, and kept in a register, for every element. In
/// rank 3 two strides may be larger than the rows are long, which LayoutRight cannot express.
template <class Exec, class DataType>
using RowMajor = Kokkos::View<DataType,
                              std::conditional_t<Kokkos::View<DataType>::rank() < 3,
                                                 Kokkos::LayoutRight, Kokkos::LayoutStride>,
                              typename Exec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// Wraps call.arrays[index] as a View of that rank, strides kept.
template <class Exec, class DataType>
RowMajor<Exec, DataType> view_of(const Call& call, int index) {
  using View = RowMajor<Exec, DataType>;
  const Array& array = call.arrays[index];
  auto* data = array.template as<typename View::value_type>();
  const auto &e = array.extent, &s = array.stride;
  if constexpr (View::rank() == 0)
    return View(data);
  else if constexpr (View::rank() == 1)
    return View(data, e[0]);
  else if constexpr (View::rank() == 2) // a leading dimension comes from a wider matrix only
    return Kokkos::subview(View(data, e[0], std::max(s[0], e[1])), Kokkos::ALL,
                           std::make_pair(std::size_t{0}, e[1]));
  else
    return View(data, Kokkos::LayoutStride(e[0], s[0], e[1], s[1], e[2], s[2]));
}

} // namespace ado::bench
