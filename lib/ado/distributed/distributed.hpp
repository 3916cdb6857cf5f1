// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All functions on many ranks.
#pragma once

#include <ado/distributed/average_mv.hpp>
#include <ado/distributed/blocks.hpp>
#include <ado/distributed/comm.hpp>
#include <ado/distributed/transpose.hpp>
#include <ado/distributed/yax.hpp>
