// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers one hand-written kernel.
#pragma once

#include <ado/core/registry.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string_view>

namespace ado::native {

/// Registers V with `const CudaVariant<V> registered{__FILE__};`. V has the static members
///   algorithm, name, summary (string_view), types (TypeSet)
/// and, where it computes with real_types,
///   template <class T> void run(const Call&, cudaStream_t),
///   template <class T> double rounding_steps(const Shape&),
///   template <class T> std::size_t workspace_bytes(const Shape&), where it needs workspace;
/// where it only moves elements,
///   void run(const Call&, cudaStream_t).
template <class V>
class CudaVariant {
  static constexpr bool moves_only = requires(const Call& call) { V::run(call, cudaStream_t{}); };

public:
  explicit CudaVariant(std::string_view file) {
    Variant record{.algorithm = V::algorithm,
                   .name = V::name,
                   .model = Model::cuda,
                   .backend = "cuda",
                   .types = V::types,
                   .summary = V::summary,
                   .file = file,
                   .run = &run,
                   .rounding_steps = &rounding_steps};
    if constexpr (requires(const Shape& s) { V::template workspace_bytes<float>(s); })
      record.workspace_bytes = &workspace_bytes;
    Registration{record};
  }

private:
  static void run(const Call& call) {
    const auto stream = static_cast<cudaStream_t>(call.queue.stream);
    if constexpr (moves_only)
      V::run(call, stream);
    else
      with_real_type(call.type, [&](auto zero) { V::template run<decltype(zero)>(call, stream); });
  }
  static double rounding_steps(const Shape& shape, Type type) {
    if constexpr (moves_only)
      return 0;
    else
      return with_real_type(
          type, [&](auto zero) { return V::template rounding_steps<decltype(zero)>(shape); });
  }
  static std::size_t workspace_bytes(const Shape& shape, Type type) {
    return with_real_type(
        type, [&](auto zero) { return V::template workspace_bytes<decltype(zero)>(shape); });
  }
};

} // namespace ado::native
