// launches, cuda, graph: all kernels are recorded once, and each call launches the record
//   mapping   cudaGraph, recorded from a stream: a node for each kernel
//   bytes     each kernel reads two arrays and writes one
//   teaches   one launch takes the place of all
#include "launches.cuh"
#include <ado/core/error.hpp>
#include <ado/cuda/variant.hpp>

#include <string>

namespace launches {

namespace {

void check(cudaError_t status) {
  if (status != cudaSuccess) throw ado::Error(std::string("graph: ") + cudaGetErrorString(status));
}

struct InGraph : Launches {
  static constexpr std::string_view name = "graph", summary = "recorded once, then launched";

  struct Record {
    Recorded of;
    cudaGraphExec_t graph = nullptr;
  };
  static Record& record() {
    static Record record; // as long as the process lives
    return record;
  }

  static void prepare(const bench::Call& call, cudaStream_t) {
    Record& kept = record();
    if (kept.graph != nullptr && kept.of == Recorded(call)) return;
    if (kept.graph != nullptr) check(cudaGraphExecDestroy(kept.graph));
    kept = {Recorded(call), nullptr};
    cudaStream_t recording;
    cudaGraph_t graph;
    check(cudaStreamCreateWithFlags(&recording, cudaStreamNonBlocking));
    check(cudaStreamBeginCapture(recording, cudaStreamCaptureModeThreadLocal));
    launch_all<Step>(call, recording, false);
    check(cudaStreamEndCapture(recording, &graph));
    check(cudaGraphInstantiate(&kept.graph, graph, 0));
    check(cudaGraphDestroy(graph));
    check(cudaStreamDestroy(recording));
  }
  static void run(const bench::Call&, cudaStream_t stream) {
    check(cudaGraphLaunch(record().graph, stream));
  }
};

const bench::CudaVariant<InGraph> graph{__FILE__};

} // namespace

} // namespace launches
