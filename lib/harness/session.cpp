// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/core/error.hpp>
#include <ado/harness/memory_need.hpp>
#include <ado/harness/npy.hpp>
#include <ado/harness/session.hpp>

#include <unistd.h>

#include <cstdio>
#include <memory>

namespace ado {
namespace {

/// "[3/8] transpose team", rewritten in place; silent where nobody watches.
class Progress {
public:
  explicit Progress(std::size_t all) : all_(all), on_(isatty(STDERR_FILENO) != 0) {}
  ~Progress() { clear(); }
  void next(const std::string& what) {
    ++done_;
    if (!on_) return;
    clear();
    std::fprintf(stderr, "[%zu/%zu] %s", done_, all_, what.c_str());
    std::fflush(stderr);
  }
  void clear() const {
    if (on_) std::fputs("\r\033[K", stderr);
  }

private:
  std::size_t done_ = 0, all_;
  bool on_;
};

/// The reference's run of one case: its time and its output, which stays in `bench`.
struct ReferenceRun {
  std::unique_ptr<Workbench> bench;
  Measurement measurement;
  std::string missing; ///< why there is none
};

void load_data(HostData& data, const Case& c, const Options& options) {
  data.make(options.data, options.seed);
  for (std::size_t k = 0; k < data.input_count(); ++k) {
    const auto file = c.files.path.find(std::string(data.specs()[k].name));
    if (file != c.files.path.end())
      read_npy(file->second, read_npy_header(file->second), data.input(k).data);
  }
}

/// Made ones and twos whose sums are exact must give the oracle's bits in any order.
bool expects_exact(const Case& c, const Options& options) {
  return options.data == DataKind::ones_twos && c.files.path.empty() &&
         c.problem.algorithm->ones_twos_exact(c.problem.shape, c.problem.type);
}

StopRule stop_rule(const Options& options) {
  return {options.reps,   options.min_time,   options.max_noise,        options.timeout,
          options.warmup, options.cold_cache, options.skip_verification};
}

ReferenceRun run_reference(const Options& options, const HostData& data, Device& device,
                           bool exact) {
  ReferenceRun run;
  const Problem& problem = data.problem();
  const Variant* variant = find_variant(problem.algorithm->name, options.reference->model,
                                        options.reference->variant, device.backend);
  if (variant == nullptr) {
    run.missing = std::string(problem.algorithm->name) + " has no such variant";
    return run;
  }
  run.bench = std::make_unique<Workbench>(device, data, 1);
  run.measurement = measure(*run.bench, problem, {variant}, stop_rule(options), exact)[0];
  return run;
}

void compare_with(const ReferenceRun& reference, Workbench& bench, RowResult& row) {
  row.reference = reference.measurement;
  row.no_reference = reference.missing;
  std::size_t slot = 0;
  for (Measurement* m : {&row.portable, &row.native}) {
    if (m->variant == nullptr) continue;
    if (m->verified() && reference.measurement.verified())
      m->max_difference = max_difference(bench.host_output(slot), reference.bench->host_output(0),
                                         row.problem.type);
    ++slot;
  }
}

std::string why_no_native(const Row& row, const Options& options, const Device& device) {
  if (row.native != nullptr || !options.models.empty()) return "";
  if (!device.on_host) return "no hand-written CUDA kernel of this name in this build";
  return "no hand-written variant";
}

/// What the plan says of a row, before anything ran.
RowResult planned_row(const Row& row, const Case& c, const Options& options, const Device& device) {
  return {.problem = c.problem,
          .name = row.name,
          .no_native = why_no_native(row, options, device),
          .launch = row.launch,
          .in_sweep = row.in_sweep};
}

RowResult run_row(const Row& row, const Case& c, const Options& options, Workbench& bench) {
  RowResult result = planned_row(row, c, options, bench.device());
  std::vector<const Variant*> variants;
  if (row.portable != nullptr) variants.push_back(row.portable);
  if (row.native != nullptr) variants.push_back(row.native);
  auto measured = measure(bench, c.problem, variants, stop_rule(options), expects_exact(c, options),
                          row.launch);
  if (options.launches || !options.json.empty()) find_launches(bench, measured, row.launch);
  std::size_t next = 0;
  if (row.portable != nullptr) result.portable = measured[next++];
  if (row.native != nullptr) result.native = measured[next++];
  return result;
}

void write_outputs(const Options& options, const HostData& data, const Workbench& bench) {
  for (const auto& [name, path] : options.outputs) {
    const ArraySpec& spec = data.specs().back();
    write_npy(path, data.problem().type, spec.rank, spec.extent, bench.host_output(0).data);
  }
}

/// A row that could not be run at all.
RowResult failed_row(const Row& row, const Case& c, const Options& options, const Device& device,
                     const std::string& why) {
  RowResult result = planned_row(row, c, options, device);
  result.portable.variant = row.portable;
  result.native.variant = row.native;
  for (Measurement* m : {&result.portable, &result.native})
    if (m->variant != nullptr) m->failure = why;
  return result;
}

void run_case(const Options& options, const Case& c, Device& device, Device& reference_device,
              Progress& progress, Results& results) {
  std::size_t begun = 0;
  try {
    // Systems promise memory that they do not have and kill whoever touches it.
    if (const std::string why = memory_shortage(c.problem, device); !why.empty()) throw Error(why);
    HostData data(c.problem);
    load_data(data, c, options);
    ReferenceRun reference;
    if (options.reference)
      reference = run_reference(options, data, reference_device, expects_exact(c, options));
    Workbench bench(device, data, 2);
    for (const Row& row : c.rows) {
      ++begun;
      progress.next(std::string(c.problem.algorithm->name) + " " + row.name);
      RowResult result = run_row(row, c, options, bench);
      compare_with(reference, bench, result);
      if (result.subject().verified()) write_outputs(options, data, bench);
      results.rows.push_back(std::move(result));
    }
  } catch (const InputError&) {
    throw;
  } catch (const std::exception& error) {
    for (; begun < c.rows.size(); ++begun)
      results.rows.push_back(failed_row(c.rows[begun], c, options, device, error.what()));
  }
}

} // namespace

Results run_cases(const Options& options, const std::vector<Case>& cases, Device& device,
                  Device& reference_device, const Ceilings& ceilings) {
  Results results{
      &device, ceilings, "", {}, options.max_noise, options.cold_cache, options.skip_verification};
  if (options.reference) {
    const ReferenceSpec& r = *options.reference;
    results.reference = r.model + "/" + r.variant;
    if (!r.backend.name.empty()) results.reference += "@" + r.backend.name;
    if (r.backend.threads > 0) results.reference += ":" + std::to_string(r.backend.threads);
  }
  std::size_t rows = 0;
  for (const Case& c : cases)
    rows += c.rows.size();
  Progress progress(rows);
  for (const Case& c : cases)
    run_case(options, c, device, reference_device, progress, results);
  return results;
}

} // namespace ado
