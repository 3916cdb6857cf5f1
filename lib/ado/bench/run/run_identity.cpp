// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/guard/restart.hpp>
#include <ado/bench/io/number.hpp>
#include <ado/bench/run/run_identity.hpp>
#include <ado/host/fingerprint.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ostream>

namespace ado::bench {
namespace {

namespace fs = std::filesystem;

/// A file that changes between two processes would mix two inputs in one result.
std::string file_text(const std::string& path) {
  return std::to_string(fs::file_size(path)) + " bytes, changed at " +
         std::to_string(fs::last_write_time(path).time_since_epoch().count());
}

/// The program file itself: kernels may have changed although the commit has not.
std::string program_text() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  std::uint64_t sum = 0; // of each piece and the sum before it
  std::vector<char> piece(std::size_t{1} << 20);
  while (file.read(piece.data(), std::streamsize(piece.size())), file.gcount() > 0)
    sum = detail::fingerprint(std::to_string(sum) +
                              std::string(piece.data(), std::size_t(file.gcount())));
  return "checksum " + std::to_string(sum);
}

} // namespace

std::string plan_text(const std::vector<Case>& cases) {
  std::string names;
  const auto add = [&](const std::string& text) { names += text + "\n"; };
  for (const Case& c : cases)
    for (const Row& row : c.rows) {
      add(row_name(c.problem, row.name));
      for (const Variant* variant : {row.portable, row.native})
        add(variant == nullptr ? "" : full_name(*variant) + "@" + std::string(variant->backend));
    }
  return std::to_string(row_count(cases)) + " rows, checksum " +
         std::to_string(detail::fingerprint(names));
}

RunIdentity machine_identity(const RunFacts& facts, const Device& device) {
  RunIdentity identity{{"version", facts.version},
                       {"commit", facts.commit},
                       {"compiler", facts.compiler},
                       {"compiler flags", facts.compiler_flags},
                       {"build type", facts.build_type},
                       {"Kokkos", facts.kokkos},
                       {"host", facts.host},
                       {"CPU", facts.cpu},
                       {"backend", facts.backend},
                       {"device", facts.device}};
  identity.insert(identity.end(), device.facts.begin(), device.facts.end());
  identity.insert(identity.end(), facts.environment.begin(), facts.environment.end());
  identity.emplace_back("CPUs allowed", device.cpus.list);
  identity.emplace_back("CPU quota", number("%.4g", device.cpus.quota));
  if (!device.ranks.empty())
    identity.emplace_back("ranks", std::to_string(device.ranks.size()) + ", " + device.mpi);
  return identity;
}

RunIdentity run_identity(const Options& options, const std::vector<Case>& cases,
                         const RunFacts& facts, const Device& device) {
  RunIdentity identity = machine_identity(facts, device);
  identity.emplace_back("program", program_text());
  identity.emplace_back("command line", options.measured);
  for (const auto& [array, path] : options.inputs)
    identity.emplace_back("input " + path, file_text(path));
  identity.emplace_back("plan", plan_text(cases));
  return identity;
}

std::unique_ptr<Journal> open_journal(const Options& options, const std::vector<Case>& cases,
                                      const RunFacts& facts, const Device& device,
                                      std::ostream& out) {
  const bool has_file = !options.json.empty() && options.json != "-";
  const std::string path = has_file ? options.json + ".partial" : kept_rows_path();
  if (path.empty()) return nullptr;
  auto journal = std::make_unique<Journal>(path, options.resume || is_restarted(),
                                           run_identity(options, cases, facts, device));
  if (!journal->rows().empty() && !is_restarted())
    out << "going on with " << journal->path() << ", begun " << journal->dates()[0] << ": "
        << journal->rows().size() << " of " << counted(row_count(cases), "row") << " measured\n";
  return journal;
}

} // namespace ado::bench
