// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All public functions.
#pragma once

#include <ado/average/average.hpp>
#include <ado/average_mv/average_mv.hpp>
#include <ado/transpose/transpose.hpp>
#include <ado/vector_add/vector_add.hpp>
#include <ado/yax/yax.hpp>
