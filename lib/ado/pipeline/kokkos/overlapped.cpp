// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pipeline, kokkos, overlapped: result[c][j] = sum over i in the j-th 16 of f(raw[c][i] * gain[c])
//   mapping   GPU: four slots in page-locked memory, each with an instance (a stream). In each turn
//             all threads of the host prepare a chunk and store the results of another one, while
//             one of them hands the previous chunk over to the device (prepare.hpp). Host with
//             several threads: in each turn they take pieces of four stages of four chunks as they
//             come (host_turns.hpp)
//   scratch   four slots of a chunk and its results on the device and in page-locked host memory,
//             from the caller; the instances are made once a process and given back by
//             Kokkos::finalize
//   bytes     reads raw and gain once, writes result once; a prepared chunk is written, copied,
//             read; on a GPU results pass through the slot
//   needs     on a GPU a team size that fits; on a host one of 1
//   teaches   against async_pinned: on streams of their own, the stages of neighbouring chunks run
//             at the same time, and no thread of the host waits for a launch. So the stream of
//             chunks takes as long as its longest stage, not as the sum of its stages. Only that
//             stage is left; --stages shows which it is
#include <ado/pipeline/host_turns.hpp>
#include <ado/pipeline/kokkos/slots.hpp>
#include <ado/portable/variant.hpp>

namespace ado::bench {

/// The pieces of a turn, each for whichever thread is free. Holds a pointer, because Kokkos copies
/// its functors.
template <class T>
struct PipelinePieces {
  HostTurns<T>* turns;
  std::size_t turn;
  void operator()(std::size_t piece) const { turns->piece(turn, piece); }
};

struct PipelineOverlapped : PipelineSlotsRung {
  static constexpr std::string_view name = "overlapped";
  static constexpr std::string_view summary = "all stages at once, each on another chunk";
  static constexpr bool pageable_staging = false;

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      if constexpr (runs_on_host<Exec>)
        take_turns<T>(exec, call);
      else
        beside_device<T>(exec, call);
    });
  }

private:
  template <class T, class Exec>
  static void beside_device(const Exec& exec, const Call& call) {
    const PipelineSteps<Exec, T, LockedSpace<Exec>> steps(exec, call, name);
    const auto streams = instances_like<pipeline_slots>(exec);
    const std::size_t chunks = steps.stream.chunks;
    for (std::size_t turn = 0; turn < pipeline_turns(chunks); ++turn)
      take_turn<T>(call, turn, [&] {
        if (const auto chunk = pipeline_chunk(turn, 1, chunks)) hand_over(steps, streams, *chunk);
        if (const auto chunk = pipeline_chunk(turn, pipeline_slots - 1, chunks))
          wait_for(streams, *chunk);
      });
  }

  template <class T, class Exec>
  static void take_turns(const Exec& exec, const Call& call) {
    using Range = Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>,
                                      Kokkos::IndexType<std::size_t>>;
    const char* label = "ado::pipeline[overlapped]";
    if (call.launch.team_size != 0) check_team_size(call.launch.team_size, 1, 1, label);
    HostTurns<T> turns(call);
    for (std::size_t turn = 0; turn < turns.turns(); ++turn) {
      Range pieces(exec, 0, turns.pieces());
      pieces.set_chunk_size(1);
      Kokkos::parallel_for(label, pieces, PipelinePieces<T>{&turns, turn});
      exec.fence("ado::pipeline: a turn is over");
    }
  }
};
const PortableVariant<PipelineOverlapped> pipeline_overlapped_registered{__FILE__};

} // namespace ado::bench
