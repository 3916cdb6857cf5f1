// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a project includes that puts its own kernels under the instrument: the records Algorithm and Variant, which
// register themselves, and oracles. Kernels in Kokkos also need <ado/portable/variant.hpp>, those in CUDA
// <ado/cuda/variant.hpp>.
#pragma once

#include <ado/core/access_pattern.hpp>
#include <ado/core/registry.hpp>
#include <ado/core/sum_oracle.hpp>
#include <ado/host/variant.hpp>
