// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pipeline, overlapped: result[c][j] = sum over i in the j-th 16 of f(raw[c][i] * gain[c])
//   mapping   as async_pageable, four slots with a stream each, in page-locked memory
//   scratch   four slots of a chunk and its results on the device and in page-locked host memory, from
//             the caller; the streams are made at the first call of a thread and live as long as it
//   bytes     reads raw and gain once, writes result once; a prepared chunk is written, copied, read;
//             results pass through the slot
//   needs     a block size that fits
//   teaches   against async_pinned: on streams of their own the stages of neighbouring chunks run at the
//             same time, so the stream takes as long as its longest stage, not as their sum. Nothing is
//             left but that stage: see which with --stages
#include <native_cuda/core/variant.hpp>
#include <native_cuda/pipeline/slots.cuh>

namespace ado::native {
namespace {

struct Overlapped : PipelineSlotsRung {
  static constexpr std::string_view name = "overlapped";
  static constexpr std::string_view summary = "all stages at once, each on another chunk";
  static constexpr bool pageable_staging = false;

  template <class T>
  static void run(const Call& call, cudaStream_t) {
    run_in_slots(PipelineSteps<T>(call, "pipeline_overlapped", Reader::copy_engine));
  }
};
const CudaVariant<Overlapped> registered{__FILE__};

} // namespace
} // namespace ado::native
