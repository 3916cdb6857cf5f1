// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What HostVariant, PortableVariant and CudaVariant all read from a struct of static members.
#pragma once

#include <ado/registry/algorithm.hpp>
#include <ado/registry/types.hpp>
#include <ado/registry/variant.hpp>

#include <string_view>

namespace ado::bench {

/// V's steps, if they depend neither on T nor on where it runs; 0 if V does not say, because it
/// only moves data.
template <class V>
double rounding_steps_of(const Shape& shape, Type type, const Launch&) {
  if constexpr (requires { V::rounding_steps(shape, type); })
    return V::rounding_steps(shape, type);
  else
    return 0;
}

/// The record of V without what depends on where it runs: that place, run, rounding_steps,
/// workspace_bytes and prepare. All three wrappers read the rest alike, including std::size_t
/// staging_bytes(const Shape&, Type), std::string unfit(const Shape&, Type) and bool
/// pageable_staging. `usual` is its model if V has none.
template <class V>
Variant record_of(Model usual, std::string_view backend, std::string_view file) {
  Variant record{.algorithm = V::algorithm,
                 .name = V::name,
                 .model = usual,
                 .backend = backend,
                 .types = V::types,
                 .summary = V::summary,
                 .file = file,
                 .run = nullptr,
                 .rounding_steps = &rounding_steps_of<V>};
  if constexpr (requires { V::model; }) record.model = V::model;
  if constexpr (requires { &V::accesses; }) record.accesses = &V::accesses;
  if constexpr (requires { V::takes_team_size; }) record.takes_team_size = V::takes_team_size;
  if constexpr (requires { V::takes_league_size; }) record.takes_league_size = V::takes_league_size;
  if constexpr (requires { V::takes_stride; }) record.takes_stride = V::takes_stride;
  if constexpr (requires { &V::staging_bytes; }) record.staging_bytes = &V::staging_bytes;
  if constexpr (requires { V::pageable_staging; }) record.pageable_staging = V::pageable_staging;
  if constexpr (requires { V::compared_with; }) record.compared_with = V::compared_with;
  if constexpr (requires { V::cures; }) record.cures = V::cures;
  if constexpr (requires { &V::unfit; }) record.unfit = &V::unfit;
  if constexpr (requires { &V::library; }) record.library = &V::library;
  if constexpr (requires { V::on_ranks; }) record.on_ranks = V::on_ranks;
  if constexpr (requires { V::shared_kernel; }) record.shared_kernel = V::shared_kernel;
  return record;
}

} // namespace ado::bench
