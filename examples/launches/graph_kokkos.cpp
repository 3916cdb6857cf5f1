// launches, kokkos, graph: all kernels are recorded once, and each call submits the record
//   mapping   Kokkos::Experimental::Graph, a node for each kernel, each behind the one before it
//   bytes     each kernel reads two arrays and writes one
//   teaches   one submission takes the place of all launches; on a CPU Kokkos still goes from node
//             to node, but leaves out most of what a parallel_for does around its kernel
#include "launches.hpp"
#include <ado/portable/variant.hpp>

#include <Kokkos_Graph.hpp>

#include <optional>

namespace launches {

namespace {

struct InGraph : Launches {
  static constexpr std::string_view name = "graph", summary = "recorded once, then submitted";

  template <class Exec>
  struct Record {
    Recorded of;
    std::optional<Kokkos::Experimental::Graph<Exec>> graph;
  };
  template <class Exec>
  static Record<Exec>& record() {
    static Record<Exec> record;
    return record;
  }

  template <class Exec>
  static void prepare(const Exec& exec, const bench::Call& call) {
    Record<Exec>& kept = record<Exec>();
    if (kept.graph && kept.of == Recorded(call)) return;
    if (!kept.graph) Kokkos::push_finalize_hook([] { record<Exec>().graph.reset(); });
    kept.of = Recorded(call);
    kept.graph = Kokkos::Experimental::create_graph(exec, [&](const auto& root) {
      Kokkos::Experimental::GraphNodeRef<Exec> last = root;
      const Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>> all(0, elements(call));
      for (std::size_t k = 0; k < kernels(call); ++k)
        last = last.then_parallel_for("launches", all, step(call, k));
    });
    kept.graph->instantiate();
  }
  template <class Exec>
  static void run(const Exec& exec, const bench::Call&) {
    record<Exec>().graph->submit(exec);
  }
};

const bench::PortableVariant<InGraph> graph{__FILE__};

} // namespace

} // namespace launches
