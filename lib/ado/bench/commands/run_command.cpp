// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/cli/written_files.hpp>
#include <ado/bench/commands/dry_run.hpp>
#include <ado/bench/commands/run_command.hpp>
#include <ado/bench/commands/selftest.hpp>
#include <ado/bench/guard/kernel_guard.hpp>
#include <ado/bench/guard/restart.hpp>
#include <ado/bench/io/files.hpp>
#include <ado/bench/io/interrupt.hpp>
#include <ado/bench/io/number.hpp>
#include <ado/bench/io/program.hpp>
#include <ado/bench/processes/processes.hpp>
#include <ado/bench/profile/diagnose.hpp>
#include <ado/bench/profile/profile.hpp>
#include <ado/bench/ranks/ranks.hpp>
#include <ado/bench/records/json.hpp>
#include <ado/bench/records/records.hpp>
#include <ado/bench/report/launch_report.hpp>
#include <ado/bench/report/report.hpp>
#include <ado/bench/report/result_table.hpp>
#include <ado/bench/report/stage_report.hpp>
#include <ado/bench/report/summary.hpp>
#include <ado/bench/report/timeline.hpp>
#include <ado/bench/run/ceilings_file.hpp>
#include <ado/bench/run/journal_rules.hpp>
#include <ado/bench/run/run_identity.hpp>
#include <ado/bench/run/session.hpp>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <iostream>
#include <memory>
#include <sstream>

namespace ado::bench {
namespace {

/// Refuses options that only a single process supports.
void check_for_ranks(const Options& o) {
  if (ranks().several() && !o.one_process.empty())
    throw UsageError(o.one_process + ": is for one process, and " + std::to_string(ranks().size()) +
                     " were started; leave it out, or start one");
}

/// Ranks of a host share its memory and cache. What sets sizes is the same on all ranks: the least
/// memory and the largest cache.
void agree_on_sizes(Device& device) {
  if (!ranks().several()) return;
  device.queue.ranks = ranks().handle();
  if (device.on_host)
    for (std::size_t* shared : {&device.memory_bytes, &device.last_level_cache})
      *shared /= static_cast<std::size_t>(ranks().on_host());
  device.memory_bytes =
      static_cast<std::size_t>(ranks().least(static_cast<double>(device.memory_bytes)));
  device.last_level_cache =
      static_cast<std::size_t>(ranks().largest(static_cast<double>(device.last_level_cache)));
  std::string place = host_name() + ": " + device.description;
  if (const std::string links = device.fact(links_fact); !links.empty()) place += ", " + links;
  device.ranks = ranks().texts(place);
  device.mpi = ranks().library();
}

int list_command(const Invocation& call) {
  print_list(call.screen, call.options, call.device);
  if (const std::string& path = call.options.json; !path.empty())
    write_text(path, list_json_text(call.options, call.device), std::cout);
  return 0;
}

/// Fault messages name the rank; a single process goes on after a fault.
KernelGuard::Settings guard_settings(const Invocation& call) {
  const Options& o = call.options;
  KernelGuard::Settings settings{.timeout = o.kernel_timeout, .verbose = o.verbose};
  if (ranks().several()) settings.rank = ranks().name() + ": ";
  return settings;
}

int selftest_command(const Invocation& call) {
  prepare_restart(call.device.load_average);
  const KernelGuard guard(guard_settings(call));
  return selftest(call.screen, call.device, selected_algorithms(call.options));
}

int dry_run_command(const Invocation& call) {
  const auto cases = plan_cases(call.options, call.device);
  if (!call.options.without_effect.empty())
    std::cerr << program_name +
                     ": --dry-run runs nothing; of no effect: " + call.options.without_effect +
                     '\n';
  print_dry_run(call.screen, cases, call.device);
  return 0;
}

int profile_command(const Invocation& call) {
  const KernelGuard guard(guard_settings(call));
  return profile_cases(call.screen, call.options, plan_cases(call.options, call.device),
                       call.device, call.command_line.front());
}

/// Reports a run ended by Ctrl-C or SIGTERM: what is left of it, and the exit status.
int report_interruption(const Journal* journal, std::size_t rows, std::size_t planned) {
  std::string said = program_name + ": interrupted after " + std::to_string(rows) + " of " +
                     counted(planned, "row") + "; ";
  if (journal == nullptr || journal->path() == kept_rows_path())
    said += "no record is written; with --json FILE the rows would be kept, to go on later\n";
  else if (rows == 0)
    said += "there is nothing to go on from\n";
  else
    said += "they are kept in " + journal->path() +
            ": the same command line with --resume goes on from there\n";
  std::cerr << said;
  return 128 + interrupted();
}

std::size_t rows_before_ladders(const Results& planned) {
  const auto& rows = planned.rows;
  return static_cast<std::size_t>(
      std::find_if(rows.begin(), rows.end(), [](const RowResult& row) { return row.brief; }) -
      rows.begin());
}

/// The stream for the table: a record may take stdout.
int stream_of_screen(const Options& options) {
  return takes_stdout(record_files(options)) ? STDERR_FILENO : STDOUT_FILENO;
}

/// Prints machine and ceilings above the table and each row as it is measured; counts rows in
/// `rows`. Does not repeat what was printed before a restart.
Results measure_cases(const Invocation& call, const std::vector<Case>& cases, const RunFacts& facts,
                      Journal* journal, std::atomic<std::size_t>& rows) {
  const Options& options = call.options;
  std::ostream screen(is_restarted() ? nullptr : call.screen.rdbuf());
  const std::size_t shown_before = is_restarted() ? journal->rows().size() : 0;
  print_machine(screen, call.device);
  screen << std::flush;
  const Ceilings ceilings = ceilings_of_run(options, call.device, cases, facts, journal);
  if (journal != nullptr) journal->begin(ceilings, facts.date);
  print_ceilings(screen, ceilings);
  screen << '\n' << std::flush;
  OtherProcesses others(options, call.command_line, ceilings, machine_identity(facts, call.device));
  const int stream = stream_of_screen(options);
  const Results planned = planned_results(options, cases, call.device, ceilings);
  const bool in_colour = takes_colour(stream);
  ResultTable table(screen, planned, columns_on(stream), in_colour);
  screen << std::flush;
  Results so_far = planned;
  so_far.rows.clear();
  const std::size_t of_answer = rows_before_ladders(planned);
  Results results = run_cases(options, cases, call.device, call.of_reference, ceilings, journal,
                              [&](RowResult& row) {
                                others.add_to(row);
                                if (rows++ == shown_before) screen.rdbuf(call.screen.rdbuf());
                                if (rows <= of_answer) so_far.rows.push_back(row);
                                table.add(row);
                                if (rows == of_answer && of_answer < planned.rows.size())
                                  print_answer_so_far(screen, so_far, in_colour);
                              });
  results.processes = options.processes;
  results.places = others.places();
  return results;
}

void print_below_the_table(const Invocation& call, const Results& results, bool is_whole) {
  std::ostringstream diagnoses; // its kernels may fault; this way nothing is printed twice
  if (call.options.diagnose && is_whole)
    print_diagnoses(diagnoses, call.options, results, call.device);
  if (call.options.launches) {
    call.screen << '\n';
    print_launches(call.screen, results);
  }
  if (call.options.stages) {
    call.screen << '\n';
    print_stages(call.screen, results);
  }
  if (call.options.diagnose && is_whole) {
    call.screen << '\n' << diagnoses.str();
  }
  print_summary(call.screen, results, takes_colour(stream_of_screen(call.options)));
}

/// The first rank keeps the journal; the others hear from it which rows are finished.
std::unique_ptr<Journal> journal_of(const Invocation& call, const std::vector<Case>& cases,
                                    const RunFacts& facts) {
  auto journal = together([&] {
    return ranks().is_first() ? open_journal(call.options, cases, facts, call.device, std::cerr)
                              : nullptr;
  });
  const std::string text = ranks().texts(journal ? journal->text() : "").front();
  if (!ranks().is_first() && !text.empty())
    journal = std::make_unique<Journal>(call.options.json, text);
  together([&] { // before this run writes to it; only the first rank may have one
    if (journal) check_journal(*journal, cases, call.options, call.device, call.of_reference);
  });
  return journal;
}

int run_command(const Invocation& call) {
  const Options& options = call.options;
  const auto cases = together([&] { return plan_cases(options, call.device); });
  check_alike("plan", plan_text(cases));
  if (!options.sweeps.empty() && !is_restarted()) print_case_count(std::cerr, cases, call.device);
  const RunFacts facts = run_facts(call.device, call.command_line);
  if (!ranks().several()) prepare_restart(call.device.load_average);
  const auto journal = journal_of(call, cases, facts);
  note_interrupts();
  if (const int signal = signal_before_restart(); signal != 0) note_interrupt(signal);
  std::atomic<std::size_t> rows = 0;
  KernelGuard::Settings settings = guard_settings(call);
  if (ranks().is_first())
    settings.interrupted = [&] { report_interruption(journal.get(), rows, row_count(cases)); };
  if (!options.json.empty() && options.json != "-")
    settings.kept = "; finished rows are in " + options.json + ".partial, for --resume";
  const KernelGuard guard(settings);
  const Results results = measure_cases(call, cases, facts, journal.get(), rows);
  const bool is_whole = results.rows.size() == row_count(cases);
  print_below_the_table(call, results, is_whole);
  if (!is_whole) return report_interruption(journal.get(), results.rows.size(), row_count(cases));
  together([&] {
    if (ranks().is_first()) write_records(options, results, facts);
  });
  if (!options.timeline.empty()) write_timelines(options.timeline, results, std::cerr);
  if (journal && !measures_for_another()) journal->remove();
  const int status = exit_status(results);
  if (status != 0 && status != 5) return status;
  const int of_ratios = ratio_status(results);
  return of_ratios != 0 ? of_ratios : status;
}

constexpr struct {
  bool Options::*is_asked_for;
  int (*command)(const Invocation&);
} commands_instead_of_a_run[] = {{&Options::list, list_command},
                                 {&Options::selftest, selftest_command},
                                 {&Options::dry_run, dry_run_command},
                                 {&Options::profile, profile_command}};

} // namespace

int device_command(const Options& options, const std::vector<std::string>& command_line) {
  together([&] { check_for_ranks(options); });
  BackendSpec backend = options.backend;
  if (backend.name.empty()) backend.name = default_backend();
  set_host_pages(options.pages);
  const auto device = together([&] { return open_device(backend); });
  if (is_restarted()) device->load_average = load_before_restart(); // later it is our own
  agree_on_sizes(*device);
  device->memory_cap = options.device_memory;
  std::unique_ptr<Device> other;
  if (options.reference && !options.reference->backend.name.empty())
    other = open_device(options.reference->backend);
  // A reader that goes away ends the run, but not with a record to write.
  if (!record_files(options).empty()) std::signal(SIGPIPE, SIG_IGN);
  const Invocation call{options, command_line, *device, other ? *other : *device,
                        stream_of_screen(options) == STDERR_FILENO ? std::cerr : std::cout};
  for (const auto& instead : commands_instead_of_a_run)
    if (options.*instead.is_asked_for) return together([&] { return instead.command(call); });
  // Ranks may differ in why a variant failed; all return the same exit status.
  return static_cast<int>(ranks().largest(run_command(call)));
}

} // namespace ado::bench
