// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/guard/kernel_guard.hpp>
#include <ado/bench/io/program.hpp>
#include <ado/bench/measure/measure.hpp>
#include <ado/bench/profile/ncu_roofline.hpp>
#include <ado/bench/profile/profile.hpp>
#include <ado/bench/report/report.hpp>
#include <ado/bench/run/case_benches.hpp>
#include <ado/bench/stream/memory_need.hpp>
#include <ado/bench/stream/streamed_data.hpp>
#include <ado/core/error.hpp>

#include <algorithm>
#include <ostream>
#include <utility>

namespace ado::bench {
namespace {

/// What --ncu-csv judges by. SourceCounters has the excessive sectors.
constexpr const char* sections[] = {"SpeedOfLight",     "LaunchStats",
                                    "Occupancy",        "SchedulerStats",
                                    "WarpStateStats",   "MemoryWorkloadAnalysis",
                                    "SourceCounters",   "MemoryWorkloadAnalysis_Tables",
                                    "InstructionStats", "ComputeWorkloadAnalysis"};

/// "average_mv_kokkos_team_f32"
std::string file_name(const Case& c, const Variant& variant) {
  return std::string(variant.algorithm) + "_" + std::string(name_of(variant.model)) + "_" +
         std::string(variant.name) + "_" + std::string(name_of(c.problem.type));
}

/// Runs it once and verifies that. Returns what to say, and adds to `status`.
std::string run_once(Workbench& bench, const Case& c, const Row& row, const Variant& variant,
                     int& status) {
  const auto fail = [&](int with, const std::string& why) {
    status = status == 1 ? 1 : std::max(status, with);
    return why;
  };
  try {
    if (!variant.types.contains(c.problem.type))
      return "has no " + std::string(name_of(c.problem.type));
    const Launch launch = taken_by(variant, row.launch);
    bench.reserve_workspace(variant);
    bench.prepare(variant, 0, 0);
    bench.device().fence();
    enter_row(profile_arguments(c, row, variant, {}));
    {
      const KernelRun run(variant);
      bench.device().run_profiled(full_name(variant), [&] { bench.run(variant, 0, launch); });
    }
    const Check check =
        bench.verify(0, variant.rounding_steps(c.problem.shape, c.problem.type, launch));
    if (!check.ok) {
      status = 1;
      return "WRONG: " + check.first_wrong;
    }
    return check.unlikely.empty() ? "ran once, verified"
                                  : "ran once, not verified: " + check.unlikely;
  } catch (const InvalidArgument& error) {
    return fail(2, error.what());
  } catch (const std::exception& error) {
    end_if_lost(bench.device());
    return fail(3, error.what());
  }
}

/// A profiler runs each kernel several times, which takes long enough with one slice.
std::string streamed_case(const Case& c, const Device& device) {
  const Slices slices = cut_into_slices(c.problem, stream_limits(device),
                                        sources_of(c.problem, c.files.path), variants_of(c));
  const auto option = [&](int size, std::size_t value) {
    return " --" + std::string(c.problem.algorithm->sizes[static_cast<std::size_t>(size)].name) +
           " " + std::to_string(value);
  };
  std::string text = problem_name(c.problem) +
                     ": does not fit the device; profile one of its slices:" +
                     option(slices.slicing().size, slices.length);
  if (slices.across() > 1) text += option(slices.slicing().across, slices.width);
  return text;
}

} // namespace

std::string profile_arguments(const Case& c, const Row& row, const Variant& variant,
                              const Options& options) {
  std::string text = "--profile --algorithm " + std::string(variant.algorithm) + " --model " +
                     std::string(name_of(variant.model)) + " --variant " +
                     std::string(variant.name) + " --type " + std::string(name_of(c.problem.type));
  for (std::size_t k = 0; k < c.problem.algorithm->sizes.size(); ++k)
    text += " --" + std::string(c.problem.algorithm->sizes[k].name) + " " +
            std::to_string(c.problem.shape[k]);
  if (c.problem.row_padding > 0) text += " --row-padding " + std::to_string(c.problem.row_padding);
  const Launch launch = taken_by(variant, row.launch);
  if (launch.team_size > 0) text += " --team-size " + std::to_string(launch.team_size);
  if (launch.league_size > 0) text += " --league-size " + std::to_string(launch.league_size);
  if (launch.stride > 0) text += " --stride " + std::to_string(launch.stride);
  if (!options.backend.name.empty()) text += " --backend " + options.backend.name;
  for (const std::string& argument : options.kokkos)
    text += " " + argument;
  return text;
}

std::string ncu_command(const std::string& program, const std::string& arguments,
                        const std::string& file) {
  std::string text = "ncu --profile-from-start off";
  for (const char* section : sections)
    text += std::string(" --section ") + section;
  const char* before = " --metrics ";
  for (const char* metric : roofline_metrics)
    text.append(std::exchange(before, ",")).append(metric);
  return text + " --import-source yes --force-overwrite --export " + file +
         " --csv --page raw --print-units base --log-file " + file + ".csv " + program + " " +
         arguments;
}

std::string nsys_command(const std::string& program, const std::string& arguments,
                         const std::string& file) {
  return "nsys profile --capture-range cudaProfilerApi --trace cuda,nvtx --output " + file + " " +
         program + " " + arguments;
}

int profile_cases(std::ostream& out, const Options& options, const std::vector<Case>& cases,
                  Device& device, const std::string& program) {
  int status = 0;
  if (device.on_host)
    out << "ncu and nsys profile a GPU, and the backend " << device.backend
        << " runs on the host: each case just runs once\n\n";
  for (const Case& c : cases) {
    if (const std::string why = memory_shortage(c.problem, device); !why.empty()) {
      out << problem_name(c.problem) << ": " << why << "\n\n";
      status = status == 1 ? 1 : 3;
      continue;
    }
    if (is_streamed(c.problem, device)) {
      out << streamed_case(c, device) << "\n\n";
      status = status == 1 ? 1 : 3;
      continue;
    }
    HostData data(c.problem);
    load_data(data, c, options);
    Workbench bench(device, data, 1);
    for (const Row& row : c.rows)
      for (const Variant* variant : variants_of(row)) {
        if (stands_in(variant, row.portable)) continue;
        const std::string arguments = profile_arguments(c, row, *variant, options);
        const std::string file = file_name(c, *variant);
        out << problem_name(c.problem) << ", " << full_name(*variant) << '\n';
        if (!device.on_host)
          out << "  " << ncu_command(program, arguments, file) << "\n  " << program_name
              << " --ncu-csv " << file << ".csv --algorithm " << variant->algorithm << "\n  "
              << nsys_command(program, arguments, file) << '\n';
        out << "  " << std::flush << run_once(bench, c, row, *variant, status) << "\n\n";
      }
  }
  return status;
}

} // namespace ado::bench
