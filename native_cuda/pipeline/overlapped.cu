// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pipeline, overlapped: result[c][j] = sum over i in the j-th 16 of f(raw[c][i] * gain[c])
//   mapping   four slots in page-locked memory with a stream each. In each turn all threads of the
//             host prepare a chunk and store the results of another one, while one of them hands
//             the chunk before over to the device (prepare.hpp)
//   scratch   four slots of a chunk and its results on the device and in page-locked host memory,
//             from the caller; the streams are made at the first call of a thread and live as long
//             as it
//   bytes     reads raw and gain once, writes result once; a prepared chunk is written, copied,
//             read; results pass through the slot
//   needs     a block size that fits
//   teaches   against async_pinned: on streams of their own the stages of neighbouring chunks run
//             at the same time, and no thread of the host waits for a launch. So the stream takes
//             as long as its longest stage, not as their sum. Nothing is left but that stage: see
//             which with --stages
#include <ado/cuda/variant.hpp>

#include <native_cuda/pipeline/slots.cuh>

namespace ado::bench::native {
namespace {

struct Overlapped : PipelineSlotsRung {
  static constexpr std::string_view name = "overlapped";
  static constexpr std::string_view summary = "all stages at once, each on another chunk";
  static constexpr bool pageable_staging = false;

  template <class T>
  static void run(const Call& call, cudaStream_t) {
    const PipelineSteps<T> steps(call, "pipeline_overlapped");
    const std::size_t chunks = steps.chunks.chunks;
    for (std::size_t turn = 0; turn < pipeline_turns(chunks); ++turn)
      take_turn<T>(call, turn, [&] {
        if (const auto chunk = pipeline_chunk(turn, 1, chunks)) hand_over(steps, *chunk);
        if (const auto chunk = pipeline_chunk(turn, pipeline_slots - 1, chunks))
          wait_for(steps, *chunk);
      });
  }
};
const CudaVariant<Overlapped> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
