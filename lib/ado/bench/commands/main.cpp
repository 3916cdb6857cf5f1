// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/manual.hpp>
#include <ado/bench/cli/options.hpp>
#include <ado/bench/commands/compare_command.hpp>
#include <ado/bench/commands/explain.hpp>
#include <ado/bench/commands/main.hpp>
#include <ado/bench/commands/run_command.hpp>
#include <ado/bench/guard/restart.hpp>
#include <ado/bench/io/files.hpp>
#include <ado/bench/io/interrupt.hpp>
#include <ado/bench/io/program.hpp>
#include <ado/bench/io/version.hpp>
#include <ado/bench/kokkos/session.hpp>
#include <ado/bench/processes/processes.hpp>
#include <ado/bench/profile/ncu_verdict.hpp>
#include <ado/bench/ranks/ranks.hpp>
#include <ado/core/error.hpp>
#include <ado/registry/registry.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ado::bench {
namespace {

/// A file opened later would take the number of a missing standard stream and receive what is
/// printed. With this, printing fails instead.
void occupy_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0)
      open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
}

void flush_stdout() {
  if (!std::cout.flush())
    throw InputError("stdout: cannot be written; is its disk full, or its reader gone?");
}

bool asks_kokkos_for_help(const std::vector<std::string>& kokkos_arguments) {
  return std::find(kokkos_arguments.begin(), kokkos_arguments.end(), "--kokkos-help") !=
         kokkos_arguments.end();
}

void check_records() {
  std::string text;
  for (const std::string& mistake : mistakes_in_records(algorithms(), variants()))
    text += (text.empty() ? "" : "\n  ") + mistake;
  if (!text.empty()) throw InvalidArgument(text);
}

/// Compares arguments and build: ranks that differ in them would wait for each other forever.
void check_started_alike(const std::vector<std::string>& command_line) {
  std::string text;
  for (std::size_t k = 1; k < command_line.size(); ++k)
    text += (k == 1 ? "" : " ") + command_line[k];
  check_alike("build", version_text());
  check_alike("command line", text);
}

/// Unless the user says otherwise, each rank of a host takes the next GPU, in Kokkos' order.
void map_devices(std::vector<std::string>& kokkos) {
  const auto chooses = [](const std::string& argument) {
    return argument.starts_with("--kokkos-device-id") ||
           argument.starts_with("--kokkos-map-device-id");
  };
  if (std::getenv("KOKKOS_DEVICE_ID") == nullptr &&
      std::none_of(kokkos.begin(), kokkos.end(), chooses))
    kokkos.emplace_back("--kokkos-map-device-id-by=mpi_rank");
}

/// Releases the ranks on every way out, before Kokkos ends.
struct ReleaseRanks {
  ~ReleaseRanks() { ranks().release(); }
};

int parse_and_run(int argc, char** argv) {
  const Silence silence; // for all ranks but the first
  if (argc > 1 && std::string_view(argv[1]) == "__complete") {
    const CommandLines lines{run_options(), compare_options(), explained_words()};
    std::cout << completions(lines, {argv + 2, argv + argc});
    return 0;
  }
  if (argc > 1 && std::string_view(argv[1]) == "compare")
    return compare_command({argv + 2, argv + argc}, std::cout);
  if (argc > 1 && std::string_view(argv[1]) == "explain")
    return explain_command({argv + 2, argv + argc}, std::cout);
  check_started_alike({argv, argv + argc});
  ParsedOptions parsed = together([&] { return parse_options(argc, argv); });
  if (parsed.exit) {
    std::cout << parsed.text;
    return 0;
  }
  if (!parsed.options.ncu_csv.empty()) {
    print_ncu(std::cout, read_ncu_csv(parsed.options.ncu_csv), parsed.options.algorithms);
    return 0;
  }
  measure_for_another(parsed.options);
  if (ranks().several()) {
    ranks().watch(parsed.options.rank_timeout);
    map_devices(parsed.options.kokkos);
  }
  const auto kokkos = together([&] {
    check_kokkos_device(parsed.options.kokkos);
    return std::make_unique<KokkosSession>(parsed.options.kokkos);
  });
  const ReleaseRanks before_kokkos;
  if (asks_kokkos_for_help(parsed.options.kokkos)) return 0; // Kokkos printed it
  return device_command(parsed.options, {argv, argv + argc});
}

/// What all ranks found out is said once. What one rank alone found ends them all: they would wait
/// for it.
int fail(int status, const std::exception& error) {
  const bool alone = ranks().several() && !is_shared(error);
  if (alone || ranks().is_first()) // in one write: other ranks and the launcher write there too
    std::cerr << program_name + ": " + (alone ? ranks().name() + ": " : "") + error.what() + '\n'
              << std::flush;
  if (alone) end_all_ranks(status);
  return status;
}

} // namespace

static int run_and_explain(int argc, char** argv) {
  if (argc > 0) set_program_name(argv[0]);
  remember_start(argv);
  occupy_standard_streams();
  try {
    check_records(); // those of one process; those of ranks are made from them
    start_ranks();
    const int status = parse_and_run(argc, argv);
    flush_stdout();
    if (ranks().several()) return status; // the launcher passes signals on
    // Ends by the signal itself, so that a loop in a shell ends too.
    if (const int signal = interrupted(); signal != 0 && status == 128 + signal) {
      std::signal(signal, SIG_DFL); // it may have come before a restart
      std::raise(signal);
    }
    return status;
  } catch (const UsageError& error) {
    return fail(2, error);
  } catch (const InputError& error) {
    return fail(2, error);
  } catch (const InvalidArgument& error) {
    return fail(2, error);
  } catch (const std::exception& error) {
    return fail(3, error);
  }
}

int run_miniapp(int argc, char** argv) {
  const int status = run_and_explain(argc, argv);
  end_ranks();
  return status;
}

} // namespace ado::bench
