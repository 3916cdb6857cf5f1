// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers one variant that runs on the host without Kokkos: by hand, or through a library.
#pragma once

#include <ado/registry/registry.hpp>
#include <ado/registry/types.hpp>
#include <ado/registry/variant_record.hpp>

#include <string_view>

namespace ado::bench {

/// Registers V with `const HostVariant<V> registered{__FILE__};`. V has the static members
///
///     std::string_view algorithm, name, summary;
///     Model model;
///     TypeSet types;
///
/// where it computes with real_types
///
///     template <class T> void run(const Call&);
///     double rounding_steps(const Shape&, Type);
///
/// where it only moves elements
///
///     void run(const Call&);
///
/// and `rounding_steps` too, where a library computes with them on their way, or where it computes
/// with addend_types. Where it needs them, as in Variant:
///
///     std::size_t workspace_bytes(const Shape&, Type);
///     template <class T> void prepare(const Call&); // or no template, as `run`
///     Library library();
template <class V>
class HostVariant {
  static constexpr bool moves_only = requires(const Call& call) { V::run(call); };
  static constexpr bool prepares_any_type = requires(const Call& call) { V::prepare(call); };
  static_assert(
      moves_only || requires(const Shape& shape) { V::rounding_steps(shape, Type{}); },
      "a variant that computes says how often it rounds");

public:
  explicit HostVariant(std::string_view file) {
    Variant record = record_of<V>(V::model, host_backend, file);
    record.run = &run;
    if constexpr (requires { &V::workspace_bytes; }) record.workspace_bytes = &V::workspace_bytes;
    if constexpr (prepares_any_type || requires { &V::template prepare<float>; })
      record.prepare = &prepare;
    Registration{record};
  }

private:
  static void run(const Call& call) {
    if constexpr (moves_only)
      V::run(call);
    else
      with_real_type(call.type, [&](auto zero) { V::template run<decltype(zero)>(call); });
  }
  static void prepare(const Call& call) {
    if constexpr (prepares_any_type)
      V::prepare(call);
    else
      with_real_type(call.type, [&](auto zero) { V::template prepare<decltype(zero)>(call); });
  }
};

} // namespace ado::bench
