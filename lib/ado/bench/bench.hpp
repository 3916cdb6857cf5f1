// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one header a project needs to measure its own kernels: records of algorithms and variants,
// their registration, and oracles. Kokkos kernels also need <ado/portable/variant.hpp>, CUDA
// kernels <ado/cuda/variant.hpp>.
#pragma once

#include <ado/host/variant.hpp>
#include <ado/registry/access_pattern.hpp>
#include <ado/registry/exact_oracle.hpp>
#include <ado/registry/oracle_of_each.hpp>
#include <ado/registry/registry.hpp>
#include <ado/registry/sum_oracle.hpp>
