// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --launches: what each variant launched on the GPU.
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/io/number.hpp>
#include <ado/bench/report/fields.hpp>
#include <ado/bench/report/launch_report.hpp>
#include <ado/bench/report/report.hpp>

#include <ostream>

namespace ado::bench {
namespace {

using Json = nlohmann::ordered_json;
using LaunchField = Field<Launched>;

/// "64", "64 x 2", "64 x 2 x 8": without unused dimensions.
std::string extents(const std::array<int, 3>& size) {
  std::string text = std::to_string(size[0]);
  if (size[1] > 1 || size[2] > 1) text += " x " + std::to_string(size[1]);
  if (size[2] > 1) text += " x " + std::to_string(size[2]);
  return text;
}

std::string occupancy_text(const LaunchFacts& kernel) {
  if (kernel.maximum_warps == 0) return "unknown";
  return std::to_string(kernel.resident_warps) + " of " + std::to_string(kernel.maximum_warps) +
         " warps, " + number("%3.0f %%", 100 * kernel.occupancy());
}

template <auto LaunchFacts::*part>
Json value_of(const Launched& l) {
  return l.kernel.*part;
}
template <int LaunchFacts::*part>
std::string cell_of(const Launched& l) {
  return std::to_string(l.kernel.*part);
}

} // namespace

const std::vector<LaunchField>& launch_fields() {
  static const std::vector<LaunchField> fields{
      {.meaning = "the variant, once, beside the first kernel that it launches",
       .shown = {{.title = "launches",
                  .cell =
                      [](const Launched& l) {
                        return l.is_first() ? "  " + full_name(*l.m.variant) : std::string();
                      }}}},
      {.meaning = "its name; of a portable kernel the functor, for all of them are instances of "
                  "Kokkos' launchers",
       .value = value_of<&LaunchFacts::kernel>,
       .json = "kernel",
       .shown = {{.title = "kernel", .cell = [](const Launched& l) { return l.kernel.kernel; }}}},
      {.meaning = "blocks",
       .value = value_of<&LaunchFacts::grid>,
       .json = "grid",
       .shown = {{.title = "grid",
                  .right = true,
                  .cell = [](const Launched& l) { return extents(l.kernel.grid); }}}},
      {.meaning = "threads of a block",
       .value = value_of<&LaunchFacts::block>,
       .json = "block",
       .shown = {{.title = "block",
                  .right = true,
                  .cell = [](const Launched& l) { return extents(l.kernel.block); }}}},
      {.meaning = "of which a multiprocessor has 65536",
       .value = value_of<&LaunchFacts::registers>,
       .json = "registers",
       .shown = {{.title = "registers\na thread",
                  .right = true,
                  .cell = cell_of<&LaunchFacts::registers>}}},
      {.meaning = "shared memory of a block that is in the code",
       .value = value_of<&LaunchFacts::static_shared_bytes>,
       .json = "static_shared_bytes",
       .shown = {{.title = "shared bytes\nstatic",
                  .right = true,
                  .cell = cell_of<&LaunchFacts::static_shared_bytes>}}},
      {.meaning = "shared memory of a block, Kokkos' scratch, asked for at launch",
       .value = value_of<&LaunchFacts::dynamic_shared_bytes>,
       .json = "dynamic_shared_bytes",
       .shown = {{.title = "\ndynamic",
                  .right = true,
                  .cell = cell_of<&LaunchFacts::dynamic_shared_bytes>}}},
      {.meaning = "arrays on the stack of a thread and registers that were spilled",
       .value = value_of<&LaunchFacts::local_bytes>,
       .json = "local_bytes",
       .shown = {{.title = "local bytes\na thread",
                  .right = true,
                  .cell = cell_of<&LaunchFacts::local_bytes>}}},
      {.meaning = "warps that fit a multiprocessor at once",
       .value = value_of<&LaunchFacts::resident_warps>,
       .json = "resident_warps"},
      {.meaning = "warps that a multiprocessor can hold",
       .value = value_of<&LaunchFacts::maximum_warps>,
       .json = "maximum_warps"},
      {.meaning = "warps that fit a multiprocessor at once, of those that it can hold",
       .value = [](const Launched& l) -> Json { return l.kernel.occupancy(); },
       .json = "occupancy",
       .shown = {{.title = "theoretical\noccupancy",
                  .right = true,
                  .cell = [](const Launched& l) { return occupancy_text(l.kernel); }}}},
      {.meaning =
           "what keeps more warps from fitting: registers, shared memory, block size or number "
           "of blocks",
       .value = value_of<&LaunchFacts::limited_by>,
       .json = "limited_by",
       .shown = {{.title = "limited by",
                  .cell = [](const Launched& l) { return l.kernel.limited_by; }}}},
      {.meaning = "blocks of the grid over those that the GPU holds at once",
       .value = value_of<&LaunchFacts::waves>,
       .json = "waves"},
      {.meaning =
           "what the host took to launch all kernels of one call, which times on a GPU do not "
           "contain",
       .shown = {{.title = "host us\nto launch all", .right = true, .cell = [](const Launched& l) {
                    return l.is_first() ? number("%.1f", median(l.m.host_seconds) * 1e6)
                                        : std::string();
                  }}}}};
  return fields;
}

void print_launches(std::ostream& out, const Results& results) {
  TextTable table(columns_of(launch_fields()));
  std::string group;
  for (const RowResult& row : results.rows) {
    if (const std::string problem = problem_text(row.problem, results); problem != group) {
      if (!group.empty()) table.add_gap();
      table.add_title(problem);
      group = problem;
    }
    for (const Measurement* m : {&row.portable, &row.native}) {
      if (m->seconds.empty() || !m->launches.unknown_because.empty()) continue;
      for (const LaunchFacts& kernel : m->launches.kernels)
        table.add(cells_of(launch_fields(), Launched{*m, kernel}));
      if (m->launches.kernels.empty()) table.add({"  " + full_name(*m->variant), "no kernel"});
    }
  }
  table.print(out);
  out << "local bytes: arrays on the stack of a thread and registers that were spilled\n";
}

} // namespace ado::bench
