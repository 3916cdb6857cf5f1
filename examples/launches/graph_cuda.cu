// launches, cuda, graph: all kernels are recorded once, and each call launches the record
//   mapping   cudaGraph, recorded from a stream: a node for each kernel
//   bytes     each kernel reads two arrays and writes one
//   teaches   one launch takes the place of all
#include "launches.hpp"
#include <ado/core/error.hpp>
#include <ado/cuda/variant.hpp>

#include <string>

namespace launches {

namespace {

constexpr unsigned block = 256;

__global__ void node_kernel(Step kernel, std::size_t n) {
  const std::size_t i = std::size_t(blockIdx.x) * block + threadIdx.x;
  if (i < n) kernel(i);
}

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
    const std::size_t n = elements(call);
    for (std::size_t k = 0; k < kernels(call); ++k)
      node_kernel<<<unsigned(n / block + 1), block, 0, recording>>>(step(call, k), n);
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
