// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line, one argument per line, up to the point where anything runs: options, plan, and
// --dry-run. Meanwhile no file can be opened, so no file name can do harm.
#include "../support/described_device.hpp"
#include "target.hpp"
#include <ado/bench/cli/manual.hpp>
#include <ado/bench/cli/options.hpp>
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/commands/compare_command.hpp>
#include <ado/bench/commands/dry_run.hpp>
#include <ado/bench/commands/explain.hpp>
#include <ado/bench/report/report.hpp>
#include <ado/core/checks.hpp>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <sstream>
#include <vector>

namespace {

bool may_open_files = true;

} // namespace

// Replaces the C library's function in this program.
extern "C" int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const int mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, int) : 0;
  va_end(list);
  if (may_open_files) return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
  errno = EACCES;
  return -1;
}

namespace {

struct NoFiles {
  NoFiles() { may_open_files = false; }
  NoFiles(const NoFiles&) = delete;
  NoFiles& operator=(const NoFiles&) = delete;
  ~NoFiles() { may_open_files = true; }
};

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    // An argument ends at its first NUL.
    lines.emplace_back(std::string(text.substr(0, end)).c_str());
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

void parse_and_plan(const std::vector<std::string>& arguments) {
  std::ostringstream out;
  if (!arguments.empty() && arguments[0] == "compare") {
    ado::bench::compare_command({arguments.begin() + 1, arguments.end()}, out);
    return;
  }
  if (!arguments.empty() && arguments[0] == "__complete") {
    ado::bench::completions(
        {ado::bench::run_options(), ado::bench::compare_options(), ado::bench::explained_words()},
        {arguments.begin() + 1, arguments.end()});
    return;
  }
  std::vector<const char*> argv{"miniapp"};
  for (const std::string& argument : arguments)
    argv.push_back(argument.c_str());
  const ado::bench::ParsedOptions parsed =
      ado::bench::parse_options(static_cast<int>(argv.size()), argv.data());
  if (parsed.exit) return;
  const ado::bench::DescribedDevice device(2, 1 << 20, std::size_t(1) << 32);
  if (parsed.options.list) return ado::bench::print_list(out, parsed.options, device);
  ado::bench::print_dry_run(out, ado::bench::plan_cases(parsed.options, device), device);
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<std::string> arguments = lines_of(fuzz::text_of(data, size));
  const NoFiles no_files;
  try {
    parse_and_plan(arguments);
  } catch (const ado::bench::UsageError&) {
  } catch (const ado::bench::InputError&) {
  } catch (const ado::InvalidArgument&) {
  }
  return 0;
}
