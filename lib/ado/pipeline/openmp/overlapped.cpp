// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pipeline, openmp, overlapped: result[c][j] = sum over i in the j-th 16 of f(raw[c][i] * gain[c]),
// by hand for CPUs
//   mapping   one parallel region for the whole stream; in each turn (host_turns.hpp) the threads
//             take pieces of four stages of four chunks as they come; one SIMD lane per element
//   scratch   four slots of a prepared chunk and its results, twice: staging and "device" memory
//   bytes     reads raw and gain once, writes result once; a prepared chunk is written, copied,
//             read
//   shares    `kokkos/overlapped` takes the same turns on a CPU, so their ratio shows only the
//             dispatch
//   teaches   what a C++ programmer writes without Kokkos: the twin that every CPU rung is measured
//             against
#include <ado/host/variant.hpp>
#include <ado/pipeline/host_turns.hpp>

namespace ado::bench {
namespace {

template <class T>
void take_turns(HostTurns<T>& turns, int threads) {
#pragma omp parallel num_threads(threads)
  for (std::size_t turn = 0; turn < turns.turns(); ++turn) {
#pragma omp for schedule(dynamic)
    for (std::size_t piece = 0; piece < turns.pieces(); ++piece)
      turns.piece(turn, piece);
  }
}

struct Overlapped : PipelineVariant {
  static constexpr std::string_view name = "overlapped";
  static constexpr std::string_view summary = "by hand: threads take pieces of all stages at once";
  static constexpr Model model = Model::openmp;
  static constexpr std::string_view shared_kernel = "host_turns.hpp";

  template <class T>
  static void run(const Call& call) {
    HostTurns<T> turns(call);
    take_turns(turns, call.queue.threads);
  }
  static std::size_t workspace_bytes(const Shape& shape, Type type) {
    return pipeline_slot_bytes(shape, type, pipeline_slots);
  }
  static std::size_t staging_bytes(const Shape& shape, Type type) {
    return pipeline_slot_bytes(shape, type, pipeline_slots);
  }
  static double rounding_steps(const Shape& shape, Type) { return pipeline_rounding_steps(shape); }
};
const HostVariant<Overlapped> registered{__FILE__};

} // namespace
} // namespace ado::bench
