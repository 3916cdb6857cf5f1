// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/core/error.hpp>
#include <ado/harness/record.hpp>
#include <ado/harness/version.hpp>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iostream>
#include <thread>

namespace ado {
namespace {

using Json = nlohmann::ordered_json;

std::string now() {
  const std::time_t seconds = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&seconds));
  return text;
}

Json context(const Results& results, const std::vector<std::string>& command_line) {
  char host[256] = "unknown";
  gethostname(host, sizeof host - 1);
  Json environment = Json::object();
  for (const char* name : {"OMP_NUM_THREADS", "OMP_PROC_BIND", "OMP_PLACES", "KOKKOS_NUM_THREADS",
                           "KOKKOS_DEVICE_ID", "CUDA_VISIBLE_DEVICES"})
    if (const char* value = std::getenv(name)) environment[name] = value;
  const Ceilings& c = results.ceilings;
  return {{"date", now()},
          {"host_name", host},
          {"executable", command_line.empty() ? "" : command_line[0]},
          {"command_line", command_line},
          {"num_cpus", std::thread::hardware_concurrency()},
          {"library_build_type", "release"},
          {"ado_version", version_text()},
          {"ado_commit", build_commit()},
          {"compiler", build_compiler()},
          {"compiler_flags", build_flags()},
          {"backend", results.device->backend},
          {"device", results.device->description},
          {"environment", environment},
          {"ceilings",
           {{"read_bytes_per_second", c.read},
            {"write_bytes_per_second", c.write},
            {"copy_bytes_per_second", c.copy},
            {"f32_flops", c.flops_f32},
            {"f64_flops", c.flops_f64},
            {"launch_seconds", c.launch}}}};
}

std::string entry_name(const RowResult& row, const Measurement& m) {
  std::string name = std::string(row.problem.algorithm->name) + "/" +
                     std::string(name_of(m.variant->model)) + "_" + std::string(m.variant->name);
  for (std::size_t k = 0; k < row.problem.algorithm->sizes.size(); ++k)
    name += "/" + std::string(row.problem.algorithm->sizes[k].name) + ":" +
            std::to_string(row.problem.shape[k]);
  return name + "/type:" + std::string(name_of(row.problem.type));
}

void add_entries(Json& entries, const RowResult& row, const Measurement& m) {
  if (m.variant == nullptr) return;
  const std::string name = entry_name(row, m);
  const Traffic traffic = row.problem.algorithm->traffic(row.problem.shape, row.problem.type);
  Json common{{"name", name},
              {"run_name", name},
              {"run_type", "iteration"},
              {"threads", 1},
              {"algorithm", row.problem.algorithm->name},
              {"variant", m.variant->name},
              {"model", name_of(m.variant->model)},
              {"backend", m.variant->backend},
              {"type", name_of(row.problem.type)},
              {"verified", m.verified()},
              {"bytes", traffic.bytes()},
              {"flops", traffic.flops},
              {"max_error", m.check.max_error},
              {"share_of_error_bound", m.check.worst_bound_share}};
  if (m.with_transfers > 0) common["seconds_with_transfers"] = m.with_transfers;
  if (!m.failure.empty()) {
    common["error_occurred"] = true;
    common["error_message"] = m.failure;
    entries.push_back(common);
  }
  for (std::size_t repetition = 0; repetition < m.seconds.size(); ++repetition) {
    Json entry = common;
    entry["repetitions"] = m.seconds.size();
    entry["repetition_index"] = repetition;
    entry["iterations"] = m.batch;
    entry["real_time"] = m.seconds[repetition] * 1e3;
    entry["cpu_time"] = m.seconds[repetition] * 1e3;
    entry["time_unit"] = "ms";
    entry["bytes_per_second"] = traffic.bytes() / m.seconds[repetition];
    entries.push_back(std::move(entry));
  }
}

} // namespace

void write_json(const std::string& path, const Results& results,
                const std::vector<std::string>& command_line) {
  Json document{{"context", context(results, command_line)}, {"benchmarks", Json::array()}};
  for (const RowResult& row : results.rows) {
    add_entries(document["benchmarks"], row, row.portable);
    add_entries(document["benchmarks"], row, row.native);
  }
  const std::string text = document.dump(1) + "\n";
  if (path == "-") {
    std::cout << text << std::flush;
    return;
  }
  const std::string part = path + ".part" + std::to_string(getpid());
  std::ofstream file(part, std::ios::binary);
  file << text;
  file.close();
  if (!file || std::rename(part.c_str(), path.c_str()) != 0) {
    const std::string why = std::strerror(errno);
    std::remove(part.c_str());
    throw Error("--json " + path + ": cannot be written: " + why);
  }
}

} // namespace ado
