// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/io/program.hpp>
#include <ado/bench/io/version.hpp>
#include <ado/bench/run/run_facts.hpp>

#include <unistd.h>

#include <ctime>
#include <fstream>
#include <map>

namespace ado::bench {
namespace {

std::string now() {
  const std::time_t seconds = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&seconds));
  return text;
}

/// By name. If a variable is there twice, the first counts, as for getenv.
std::vector<std::pair<std::string, std::string>> environment() {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string text = *entry, name = text.substr(0, text.find('='));
    bool counts = false;
    for (const char* family : {"OMP_", "GOMP_", "KMP_", "KOKKOS_"})
      counts = counts || name.starts_with(family);
    for (const char* one : {"CUDA_VISIBLE_DEVICES", "OPENBLAS_CORETYPE", "CUDA_INJECTION64_PATH",
                            "NVTX_INJECTION64_PATH"}) // the last two: a profiler or a sanitizer
      counts = counts || name == one;
    if (counts && name.size() < text.size()) variables.emplace(name, text.substr(name.size() + 1));
  }
  return {variables.begin(), variables.end()};
}

} // namespace

std::string host_name() {
  char host[256] = "unknown";
  gethostname(host, sizeof host - 1);
  return host;
}

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "unknown CPU";
}

RunFacts run_facts(const Device& device, const std::vector<std::string>& command_line) {
  return {.date = now(),
          .host = host_name(),
          .cpu = cpu_name(),
          .backend = device.backend,
          .device = device.description,
          .version = version_text(),
          .commit = build_commit(),
          .compiler = kernel_build.compiler,
          .compiler_flags = kernel_build.flags,
          .build_type = kernel_build.type,
          .kokkos = kokkos_version(),
          .nvcc = build_nvcc(),
          .driver = device.fact(driver_fact),
          .gpu_uuid = device.fact(uuid_fact),
          .command_line = command_line,
          .environment = environment()};
}

std::string case_name(const Problem& problem) {
  std::string name;
  for (std::size_t k = 0; k < problem.algorithm->sizes.size(); ++k)
    name += std::string(problem.algorithm->sizes[k].name) + ":" + std::to_string(problem.shape[k]) +
            "/";
  if (problem.row_padding > 0) name += "row_padding:" + std::to_string(problem.row_padding) + "/";
  return name + "type:" + std::string(name_of(problem.type));
}

VariantName variant_name(const RowResult& row, const Measurement& m) {
  VariantName name;
  name.variant = std::string(name_of(m.variant->model)) + "_" + std::string(m.variant->name);
  if (m.variant->takes_league_size && row.launch.league_size > 0)
    name.launch += "/league_size:" + std::to_string(row.launch.league_size);
  if (m.variant->takes_team_size && row.launch.team_size > 0)
    name.launch += "/team_size:" + std::to_string(row.launch.team_size);
  if (m.variant->takes_stride && row.launch.stride > 0)
    name.launch += "/stride:" + std::to_string(row.launch.stride);
  return name;
}

std::vector<const Measurement*> sides(const RowResult& row) {
  std::vector<const Measurement*> list;
  for (const Measurement* m : {&row.portable, &row.native})
    if (m->variant != nullptr) list.push_back(m);
  return list;
}

} // namespace ado::bench
