// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers a kernel written by hand in CUDA.
#pragma once

#include <ado/core/error.hpp>
#include <ado/registry/registry.hpp>
#include <ado/registry/variant_record.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace ado::bench {

/// Registers V with `const CudaVariant<V> registered{__FILE__};`. V has the static members
///
///     std::string_view algorithm, name, summary;
///     TypeSet types;
///
/// and, if it computes with real_types,
///
///     template <class T> void run(const Call&, cudaStream_t);
///     double rounding_steps(const Shape&, Type);   // or
///     template <class T> double rounding_steps(const Shape&);
///
/// with a `const Launch&` at the end if the order of summation depends on it. If it only moves
/// elements:
///
///     void run(const Call&, cudaStream_t);
///
/// and the first `rounding_steps` if a library computes with them on their way, or if it computes
/// with addend_types. Optional, as in Variant:
///
///     std::size_t workspace_bytes(const Shape&, Type);              // or, with real_types,
///     template <class T> std::size_t workspace_bytes(const Shape&);
///     template <class T> void prepare(const Call&, cudaStream_t);   // or no template, as `run`
///     std::vector<Access> accesses(const Shape&, Type, const Launch&);
///     bool takes_team_size, takes_league_size, takes_stride;
///     Model model;   // if not Model::cuda
///
/// `run` need not check its launches: cudaGetLastError() is called after it.
template <class V>
class CudaVariant {
  static constexpr bool moves_only = requires(const Call& call) { V::run(call, cudaStream_t{}); };
  static constexpr bool prepares_any_type = requires(const Call& call) {
    V::prepare(call, cudaStream_t{});
  };

public:
  explicit CudaVariant(std::string_view file) {
    Variant record = record_of<V>(Model::cuda, "cuda", file);
    record.run = &run;
    if constexpr (!moves_only) record.rounding_steps = &rounding_steps;
    if constexpr (requires(const Shape& s) { V::workspace_bytes(s, Type{}); })
      record.workspace_bytes = &V::workspace_bytes;
    else if constexpr (requires(const Shape& s) { V::template workspace_bytes<float>(s); })
      record.workspace_bytes = &workspace_bytes;
    if constexpr (prepares_any_type || requires(const Call& call, cudaStream_t stream) {
                    V::template prepare<float>(call, stream); // by a call, as in PortableVariant
                  })
      record.prepare = &prepare;
    else
      static_assert(
          !requires { &V::template prepare<float>; }, "prepare takes (call, stream)");
    Registration{record};
  }

private:
  static void run(const Call& call) {
    const auto stream = static_cast<cudaStream_t>(call.queue.stream);
    if constexpr (moves_only)
      V::run(call, stream);
    else
      with_real_type(call.type, [&](auto zero) { V::template run<decltype(zero)>(call, stream); });
    if (const cudaError_t status = cudaGetLastError(); status != cudaSuccess)
      throw Error("CUDA kernels of " + std::string(V::algorithm) + " " + std::string(V::name) +
                  ": " + cudaGetErrorString(status));
  }
  static void prepare(const Call& call) {
    const auto stream = static_cast<cudaStream_t>(call.queue.stream);
    if constexpr (prepares_any_type)
      V::prepare(call, stream);
    else
      with_real_type(call.type,
                     [&](auto zero) { V::template prepare<decltype(zero)>(call, stream); });
  }
  static double rounding_steps(const Shape& shape, Type type, const Launch& launch) {
    if constexpr (requires { V::rounding_steps(shape, type); })
      return V::rounding_steps(shape, type);
    else
      return with_real_type(type, [&](auto zero) {
        using T = decltype(zero);
        if constexpr (requires { V::template rounding_steps<T>(shape, launch); })
          return V::template rounding_steps<T>(shape, launch);
        else
          return V::template rounding_steps<T>(shape);
      });
  }
  static std::size_t workspace_bytes(const Shape& shape, Type type) {
    return with_real_type(
        type, [&](auto zero) { return V::template workspace_bytes<decltype(zero)>(shape); });
  }
};

} // namespace ado::bench
