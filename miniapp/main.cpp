// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mini-app: runs every variant and its twin on the same data and says how they compare.
#include <ado/bench/cli/options.hpp>
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/commands/compare_command.hpp>
#include <ado/bench/commands/dry_run.hpp>
#include <ado/bench/commands/explain.hpp>
#include <ado/bench/commands/selftest.hpp>
#include <ado/bench/io/files.hpp>
#include <ado/bench/io/interrupt.hpp>
#include <ado/bench/io/number.hpp>
#include <ado/bench/kokkos/session.hpp>
#include <ado/bench/profile/diagnose.hpp>
#include <ado/bench/profile/ncu_verdict.hpp>
#include <ado/bench/profile/profile.hpp>
#include <ado/bench/records/records.hpp>
#include <ado/bench/report/launch_report.hpp>
#include <ado/bench/report/report.hpp>
#include <ado/bench/report/result_table.hpp>
#include <ado/bench/report/stage_report.hpp>
#include <ado/bench/report/summary.hpp>
#include <ado/bench/report/timeline.hpp>
#include <ado/bench/run/ceilings_file.hpp>
#include <ado/bench/run/run_identity.hpp>
#include <ado/bench/run/session.hpp>
#include <ado/core/error.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace {

/// An absent standard stream would give its number to the next file that is opened, and what is
/// printed would land there. With this, printing fails instead.
void occupy_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0)
      open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
}

void flush_stdout() {
  if (!std::cout.flush())
    throw ado::InputError("stdout: cannot be written; is its disk full, or its reader gone?");
}

/// A run that was ended by Ctrl-C or SIGTERM: what is left of it, and the status that says so.
int report_interruption(const ado::Journal* journal, std::size_t rows, std::size_t planned) {
  std::cerr << "miniapp: interrupted after " << rows << " of " << ado::counted(planned, "row")
            << "; ";
  if (journal == nullptr)
    std::cerr << "no record is written; with --json FILE the rows would be kept, to go on later\n";
  else if (rows == 0)
    std::cerr << "there is nothing to go on from\n";
  else
    std::cerr << "they are kept in " << journal->path()
              << ": the same command line with --resume goes on from there\n";
  return 128 + ado::interrupted();
}

int run(const ado::Options& options, const std::vector<std::string>& command_line) {
  // 1 the device
  ado::BackendSpec backend = options.backend;
  if (backend.name.empty()) backend.name = ado::default_backend();
  const auto device = ado::open_device(backend);
  device->memory_cap = options.device_memory;
  std::unique_ptr<ado::Device> other;
  if (options.reference && !options.reference->backend.name.empty())
    other = ado::open_device(options.reference->backend);
  std::ostream& screen = ado::takes_stdout(options) ? std::cerr : std::cout;
  if (options.list) {
    ado::print_list(screen, options, *device);
    return 0;
  }
  if (options.selftest) return ado::selftest(screen, *device, ado::selected_algorithms(options));
  // A reader that goes away ends the run, but costs no record.
  if (!ado::record_files(options).empty()) std::signal(SIGPIPE, SIG_IGN);
  // 2 the cases
  const auto cases = ado::plan_cases(options, *device);
  if (options.dry_run) {
    if (!options.without_effect.empty())
      std::cerr << "miniapp: --dry-run runs nothing; of no effect: " << options.without_effect
                << '\n';
    ado::print_dry_run(screen, cases, *device);
    return 0;
  }
  if (options.profile)
    return ado::profile_cases(screen, options, cases, *device, command_line.front());
  if (!options.sweeps.empty()) ado::print_case_count(std::cerr, cases, *device);
  const ado::RunFacts facts = ado::run_facts(*device, command_line);
  const auto journal = ado::open_journal(options, cases, facts, *device, std::cerr);
  // 3 the machine and its limits
  ado::note_interrupts();
  ado::print_machine(screen, *device);
  screen << std::flush;
  const ado::Ceilings ceilings =
      ado::ceilings_of_run(options, *device, cases, facts, journal.get());
  if (journal) journal->begin(ceilings, facts.date);
  ado::print_ceilings(screen, ceilings);
  screen << '\n' << std::flush;
  // 4 data, runs and checks
  const int stream = ado::takes_stdout(options) ? STDERR_FILENO : STDOUT_FILENO;
  const ado::Results planned = ado::planned_results(options, cases, *device, ceilings);
  ado::ResultTable table(screen, planned, ado::columns_on(stream), ado::takes_colour(stream));
  const ado::Results results =
      ado::run_cases(options, cases, *device, other ? *other : *device, ceilings, journal.get(),
                     [&](const ado::RowResult& row) { table.add(row); });
  // 5 the report
  if (options.launches) {
    screen << '\n';
    ado::print_launches(screen, results);
  }
  if (options.stages) {
    screen << '\n';
    ado::print_stages(screen, results);
  }
  const bool is_whole = results.rows.size() == ado::row_count(cases);
  if (options.diagnose && is_whole) {
    screen << '\n';
    ado::print_diagnoses(screen, options, results, *device);
  }
  ado::print_summary(screen, results);
  if (!is_whole)
    return report_interruption(journal.get(), results.rows.size(), ado::row_count(cases));
  // 6 the records
  ado::write_records(options, results, facts);
  if (!options.timeline.empty()) ado::write_timelines(options.timeline, results);
  if (journal) journal->remove();
  return ado::exit_status(results);
}

bool asks_kokkos_for_help(const std::vector<std::string>& kokkos_arguments) {
  return std::find(kokkos_arguments.begin(), kokkos_arguments.end(), "--kokkos-help") !=
         kokkos_arguments.end();
}

int parse_and_run(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "compare")
    return ado::compare_command({argv + 2, argv + argc}, std::cout);
  if (argc > 1 && std::string_view(argv[1]) == "explain")
    return ado::explain_command({argv + 2, argv + argc}, std::cout);
  const ado::ParsedOptions parsed = ado::parse_options(argc, argv, ado::explained_words);
  if (parsed.exit) {
    std::cout << parsed.text;
    return 0;
  }
  if (!parsed.options.ncu_csv.empty()) {
    ado::print_ncu(std::cout, ado::read_ncu_csv(parsed.options.ncu_csv), parsed.options.algorithms);
    return 0;
  }
  ado::check_kokkos_device(parsed.options.kokkos);
  const ado::KokkosSession kokkos(parsed.options.kokkos);
  if (asks_kokkos_for_help(parsed.options.kokkos)) return 0; // Kokkos printed it
  return run(parsed.options, {argv, argv + argc});
}

int fail(int status, const std::exception& error) {
  std::cerr << "miniapp: " << error.what() << '\n';
  return status;
}

} // namespace

int main(int argc, char** argv) {
  occupy_standard_streams();
  try {
    const int status = parse_and_run(argc, argv);
    flush_stdout();
    // Ended by its signal, so that a shell's loop around it ends too.
    if (const int signal = ado::interrupted(); signal != 0 && status == 128 + signal)
      std::raise(signal);
    return status;
  } catch (const ado::UsageError& error) {
    return fail(2, error);
  } catch (const ado::InputError& error) {
    return fail(2, error);
  } catch (const ado::InvalidArgument& error) {
    return fail(2, error);
  } catch (const std::exception& error) {
    return fail(3, error);
  }
}
