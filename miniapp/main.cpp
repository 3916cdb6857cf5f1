// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mini-app: runs every variant and its twin on the same data and says how they compare.
#include <ado/core/error.hpp>
#include <ado/harness/ceilings.hpp>
#include <ado/harness/npy.hpp>
#include <ado/harness/options.hpp>
#include <ado/harness/plan.hpp>
#include <ado/harness/record.hpp>
#include <ado/harness/report.hpp>
#include <ado/harness/session.hpp>

#include <Kokkos_Core.hpp>

#include <iostream>
#include <string>
#include <vector>

namespace {

/// Hands Kokkos its own arguments and nothing else. What Kokkos would warn of at every start, threads
/// that are not bound, print_machine says in a line.
class KokkosSession {
public:
  explicit KokkosSession(const std::vector<std::string>& arguments) : storage_(arguments) {
    storage_.insert(storage_.begin(), {"miniapp", "--kokkos-disable-warnings"});
    for (std::string& argument : storage_)
      pointers_.push_back(argument.data());
    int count = static_cast<int>(pointers_.size());
    pointers_.push_back(nullptr);
    Kokkos::initialize(count, pointers_.data());
  }
  ~KokkosSession() { Kokkos::finalize(); }

private:
  std::vector<std::string> storage_;
  std::vector<char*> pointers_;
};

void warn_of_ignored_device(const std::vector<std::string>& kokkos_arguments) {
  if constexpr (std::is_same_v<Kokkos::DefaultExecutionSpace, Kokkos::DefaultHostExecutionSpace>)
    for (const std::string& argument : kokkos_arguments)
      if (argument.rfind("--kokkos-device-id", 0) == 0)
        std::cerr << "miniapp: " << argument << " has no effect: this build has no GPU backend; "
                  << "running on " << Kokkos::DefaultExecutionSpace::name() << '\n';
}

int run(const ado::Options& options, const std::vector<std::string>& command_line) {
  // 1 the device
  ado::BackendSpec backend = options.backend;
  if (backend.name.empty()) backend.name = ado::default_backend();
  const auto device = ado::open_device(backend);
  std::ostream& screen = options.json == "-" ? std::cerr : std::cout;
  if (options.list) {
    ado::print_list(screen, *device);
    return 0;
  }
  ado::print_machine(screen, *device);
  // 2 its limits
  const ado::Ceilings ceilings = ado::measure_ceilings(*device);
  ado::print_ceilings(screen, ceilings);
  screen << '\n' << std::flush;
  // 3 the cases, 4 their data, runs and checks
  const auto cases = ado::plan_cases(options, *device, ceilings);
  const ado::Results results = ado::run_cases(options, cases, *device, ceilings);
  // 5 the report
  ado::print_table(screen, results);
  // 6 the record
  if (!options.json.empty()) ado::write_json(options.json, results, command_line);
  return ado::exit_status(results);
}

int fail(int status, const std::exception& error) {
  std::cerr << "miniapp: " << error.what() << '\n';
  return status;
}

} // namespace

int main(int argc, char** argv) {
  try {
    const ado::ParsedOptions parsed = ado::parse_options(argc, argv);
    if (parsed.exit) {
      std::cout << parsed.text;
      return 0;
    }
    warn_of_ignored_device(parsed.options.kokkos);
    const KokkosSession kokkos(parsed.options.kokkos);
    return run(parsed.options, {argv, argv + argc});
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
