// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/options.hpp>
#include <ado/bench/commands/compare_command.hpp>
#include <ado/bench/commands/explain.hpp>
#include <ado/bench/commands/main.hpp>
#include <ado/bench/commands/run_command.hpp>
#include <ado/bench/io/files.hpp>
#include <ado/bench/io/interrupt.hpp>
#include <ado/bench/io/program.hpp>
#include <ado/bench/kokkos/session.hpp>
#include <ado/bench/profile/ncu_verdict.hpp>
#include <ado/core/error.hpp>
#include <ado/core/registry.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace ado {
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

int parse_and_run(int argc, char** argv) {
  check_records();
  if (argc > 1 && std::string_view(argv[1]) == "compare")
    return compare_command({argv + 2, argv + argc}, std::cout);
  if (argc > 1 && std::string_view(argv[1]) == "explain")
    return explain_command({argv + 2, argv + argc}, std::cout);
  const ParsedOptions parsed = parse_options(argc, argv, [] {
    return OtherCommands{explained_words(), compare_options()};
  });
  if (parsed.exit) {
    std::cout << parsed.text;
    return 0;
  }
  if (!parsed.options.ncu_csv.empty()) {
    print_ncu(std::cout, read_ncu_csv(parsed.options.ncu_csv), parsed.options.algorithms);
    return 0;
  }
  check_kokkos_device(parsed.options.kokkos);
  const KokkosSession kokkos(parsed.options.kokkos);
  if (asks_kokkos_for_help(parsed.options.kokkos)) return 0; // Kokkos printed it
  return device_command(parsed.options, {argv, argv + argc});
}

int fail(int status, const std::exception& error) {
  std::cerr << program_name << ": " << error.what() << '\n';
  return status;
}

} // namespace

int run_miniapp(int argc, char** argv) {
  if (argc > 0) set_program_name(argv[0]);
  occupy_standard_streams();
  try {
    const int status = parse_and_run(argc, argv);
    flush_stdout();
    // Ended by its signal, so that a shell's loop around it ends too.
    if (const int signal = interrupted(); signal != 0 && status == 128 + signal) std::raise(signal);
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

} // namespace ado
