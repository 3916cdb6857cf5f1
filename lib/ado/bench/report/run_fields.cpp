// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is reported of a run: where, when and with which build it ran, and what the machine can do.
#include <ado/bench/report/fields.hpp>

#include <thread>

namespace ado::bench {
namespace {

using Json = nlohmann::ordered_json;
using RunField = Field<Run>;

template <std::string RunFacts::*fact>
Json of_facts(const Run& run) {
  return run.facts.*fact;
}

Json object_of(const std::vector<std::pair<std::string, std::string>>& pairs) {
  Json object = Json::object();
  for (const auto& [name, value] : pairs)
    object[name] = value;
  return object;
}

/// Those that every run measures are in CSV too.
std::vector<RunField> ceilings() {
  std::vector<RunField> fields{
      {.meaning = "when the ceilings were measured",
       .value = [](const Run& run) -> Json { return run.results.ceilings.measured; },
       .json = "ceilings/measured"}};
  for (const CeilingField& ceiling : ceiling_fields)
    fields.push_back({.name = std::string(ceiling.csv),
                      .meaning = std::string(ceiling.meaning),
                      .value = [&ceiling](const Run& run) -> Json {
                        const double value = run.results.ceilings.*ceiling.value;
                        return ceiling.may_lack && value <= 0 ? Json() : Json(value);
                      },
                      .json = "ceilings/" + std::string(ceiling.name)});
  return fields;
}

} // namespace

const std::vector<RunField>& run_fields() {
  static const std::vector<RunField> fields = [] {
    std::vector<RunField> all{
        {.name = "date", .meaning = "of the record, UTC", .value = of_facts<&RunFacts::date>},
        {.meaning = "when the processes began that measured the first rows and were interrupted",
         .value = [](const Run& run) -> Json { return run.results.interrupted_runs; },
         .json = "interrupted_runs"},
        {.name = "host",
         .meaning = "name of the machine",
         .value = of_facts<&RunFacts::host>,
         .json = "host_name"},
        {.meaning = "the program",
         .value = [](const Run& run) -> Json {
           return run.facts.command_line.empty() ? "" : run.facts.command_line[0];
         },
         .json = "executable"},
        {.meaning = "the program and its arguments",
         .value = [](const Run& run) -> Json { return run.facts.command_line; },
         .json = "command_line"},
        {.meaning = "processors that the system shows",
         .value = [](const Run&) -> Json { return std::thread::hardware_concurrency(); },
         .json = "num_cpus"},
        {.name = "cpu", .meaning = "processor of the machine", .value = of_facts<&RunFacts::cpu>},
        {.name = "device",
         .meaning = "what portable variants ran on",
         .value = of_facts<&RunFacts::device>},
        {.name = "backend",
         .meaning = "Kokkos' execution space",
         .value = of_facts<&RunFacts::backend>},
        {.meaning = "what the device says of itself",
         .value = [](const Run& run) { return object_of(run.results.device->facts); },
         .json = "device_facts"},
        {.name = "cpus_allowed",
         .meaning = "that the affinity mask, or OpenMP's places, leave to the threads: 0-3,8",
         .value = [](const Run& run) -> Json { return run.results.device->cpus.list; }},
        {.name = "cpu_quota",
         .meaning = "of how many CPUs the control groups give the time; absent: no limit",
         .value = [](const Run& run) -> Json {
           const double quota = run.results.device->cpus.quota;
           return quota > 0 ? Json(quota) : Json();
         }},
        // As in Google Benchmark: a list, empty if unknown.
        {.meaning = "load average of the host before the run",
         .value = [](const Run& run) -> Json {
           const double load = run.results.device->load_average;
           return load < 0 ? Json::array() : Json::array({load});
         },
         .json = "load_avg"},
        {.meaning = "of several: where each rank measured",
         .value = [](const Run& run) -> Json {
           const std::vector<std::string>& ranks = run.results.device->ranks;
           return ranks.empty() ? Json() : Json(ranks);
         },
         .json = "ranks"},
        {.meaning = "the MPI library that joined them",
         .value = [](const Run& run) -> Json {
           const std::string& mpi = run.results.device->mpi;
           return mpi.empty() ? Json() : Json(mpi);
         },
         .json = "mpi"},
        {.name = "warnings",
         .meaning = "what has to be known before any number is read",
         .value = [](const Run& run) -> Json { return warnings(run.results); }},
        {.meaning = "variables of OpenMP (OMP_, GOMP_, KMP_) and of Kokkos, CUDA_VISIBLE_DEVICES, "
                    "OPENBLAS_CORETYPE, CUDA_INJECTION64_PATH and NVTX_INJECTION64_PATH, where "
                    "they are set",
         .value = [](const Run& run) { return object_of(run.facts.environment); },
         .json = "environment"},
        {.meaning = "of this program",
         .value = of_facts<&RunFacts::version>,
         .json = "ado_version"},
        {.meaning = "of this format: another one where a field means something else or is gone",
         .value = [](const Run&) -> Json { return record_version; },
         .json = "record_version"},
        {.name = "commit",
         .meaning = "of the build",
         .value = of_facts<&RunFacts::commit>,
         .json = "ado_commit"},
        {.meaning = "how the kernels were built: release, or debug, with assertions",
         .value = of_facts<&RunFacts::build_type>,
         .json = "library_build_type"},
        {.name = "compiler", .meaning = "of the kernels", .value = of_facts<&RunFacts::compiler>},
        {.name = "compiler_flags",
         .meaning = "it was given, but for warnings",
         .value = of_facts<&RunFacts::compiler_flags>},
        {.name = "kokkos_version",
         .meaning = "the release of Kokkos",
         .value = of_facts<&RunFacts::kokkos>},
        {.name = "nvcc_version",
         .meaning = "the nvcc that compiled the CUDA kernels, where one did",
         .value =
             [](const Run& run) { return run.facts.nvcc.empty() ? Json() : Json(run.facts.nvcc); }},
        {.name = "driver_version",
         .meaning = "of NVIDIA's driver; of a GPU",
         .value = of_facts<&RunFacts::driver>},
        {.name = "gpu_uuid",
         .meaning = "which GPU, as nvidia-smi -L names it",
         .value = of_facts<&RunFacts::gpu_uuid>}};
    for (RunField& ceiling : ceilings())
      all.push_back(std::move(ceiling));
    return all;
  }();
  return fields;
}

} // namespace ado::bench
