// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/guard/kernel_guard.hpp>
#include <ado/bench/guard/restart.hpp>
#include <ado/bench/io/npy.hpp>
#include <ado/bench/io/progress.hpp>
#include <ado/bench/ranks/ranks.hpp>
#include <ado/bench/run/case_benches.hpp>
#include <ado/bench/run/journal_rules.hpp>
#include <ado/bench/run/session.hpp>
#include <ado/bench/stats/statistics.hpp>
#include <ado/bench/stream/memory_need.hpp>
#include <ado/bench/stream/streamed_bench.hpp>
#include <ado/core/error.hpp>

#include <exception>
#include <memory>

namespace ado::bench {
namespace {

/// What all cases of a run share.
struct Session {
  const Options& options;
  Device& device;
  Device& reference_device;
  Journal* journal; ///< may be null
  const std::function<void(RowResult&)>& show;
  Progress progress;
  Results results;

  void add(RowResult row) {
    progress.clear();
    if (show) show(row);
    results.rows.push_back(std::move(row));
  }
};

/// A row's share of the run time: in a default run on two cores, answer rows took twice as long as
/// rungs.
double weight_of(const Row& row) { return row.brief ? 1 : 2; }

/// Total weight of the rows after the first `known`.
double weight_behind(std::size_t known, const std::vector<Case>& cases) {
  double weight = 0;
  for (const Case& c : cases)
    for (const Row& row : c.rows) {
      if (known == 0) weight += weight_of(row);
      known -= known > 0;
    }
  return weight;
}

/// The reference's run of one case: its time and its output, which stays in `bench`.
struct ReferenceRun {
  std::unique_ptr<Bench> bench;
  Measurement measurement;
  std::string missing; ///< why there is none
};

void enter(const Case& c, const std::string& row) { enter_row(row_name(c.problem, row)); }

ReferenceRun run_reference(const Case& c, const Session& session, std::unique_ptr<Bench> bench,
                           const std::vector<Seen>& seen) {
  ReferenceRun run{.bench = std::move(bench), .measurement = {}, .missing = {}};
  const Variant* variant = reference_variant(c, session.options, session.reference_device);
  if (variant == nullptr) {
    run.missing = no_such_variant(c);
    return run;
  }
  enter(c, "reference");
  run.measurement = measure(*run.bench, c.problem, {variant}, session.options.stop, {}, seen)[0];
  return run;
}

/// The sides of a row that have a variant, in the order of the bench's outputs.
std::vector<Measurement*> measurements(RowResult& row) {
  std::vector<Measurement*> all;
  for (Measurement* m : {&row.portable, &row.native})
    if (m->variant != nullptr) all.push_back(m);
  return all;
}

void doubt_impossible_times(const Results& results, RowResult& row) {
  for (Measurement* m : measurements(row)) {
    if (!m->verified()) continue; // alike on all ranks
    m->unverified = too_fast(results, row, *m);
    share_failure(*m);
  }
}

/// Between the outputs of two benches; NaN: one is where the other is not.
double largest_difference(const Bench& bench, std::size_t slot, const Bench& reference,
                          const Problem& problem) {
  double largest = 0;
  const std::vector<ArraySpec> outputs = problem.outputs();
  for (std::size_t k = 0; k < outputs.size(); ++k)
    largest =
        larger(largest, max_difference(bench.host_output(slot, k), reference.host_output(0, k),
                                       outputs[k].type(problem.type)));
  return largest;
}

void compare_with(const ReferenceRun& reference, Bench& bench, RowResult& row) {
  row.reference = reference.measurement;
  row.no_reference = reference.missing;
  const std::vector<Measurement*> all = measurements(row);
  for (std::size_t slot = 0; slot < all.size(); ++slot)
    if (all[slot]->verified() && reference.measurement.verified())
      all[slot]->max_difference = largest_difference(bench, slot, *reference.bench, row.problem);
}

std::string why_no_native(const Row& row, const Options& options, const Device& device) {
  if (row.native != nullptr || !options.models.empty()) return "";
  if (!device.on_host) return "no hand-written CUDA kernel of this name in this build";
  return "no hand-written variant";
}

/// What the plan says of a row before anything runs.
RowResult planned_row(const Row& row, const Case& c, const Options& options, const Device& device) {
  RowResult result{.problem = c.problem,
                   .name = row.name,
                   .no_native = why_no_native(row, options, device),
                   .launch = row.launch,
                   .in_sweep = row.in_sweep,
                   .brief = row.brief};
  result.portable.variant = row.portable;
  result.native.variant = row.native;
  return result;
}

RowResult run_row(const Row& row, const Case& c, const Options& options, Bench& bench,
                  const std::vector<Seen>& seen) {
  RowResult result = planned_row(row, c, options, bench.device());
  StopRule stop = options.stop;
  stop.brief = row.brief;
  const auto measured = measure(bench, c.problem, variants_of(row), stop, row.launch, seen);
  if (const auto* stream = dynamic_cast<const StreamedBench*>(&bench))
    result.streamed = stream->facts();
  const std::vector<Measurement*> all = measurements(result);
  for (std::size_t slot = 0; slot < all.size(); ++slot)
    *all[slot] = measured[slot];
  return result;
}

/// Reruns a row's variants for what their times do not show. Overwrites their outputs.
void look_closer(const Options& options, Bench& bench, RowResult& row) {
  const std::vector<Measurement*> all = measurements(row);
  for (std::size_t slot = 0; slot < all.size(); ++slot) {
    if (options.launches || options.diagnose || !options.json.empty())
      find_launches(bench, slot, *all[slot], row.launch);
    if (options.stages || !options.timeline.empty() || !options.json.empty())
      find_stages(bench, slot, *all[slot], row.launch);
  }
}

/// Where each rank's part of an array lies.
std::vector<Runs> runs_of_ranks(const ArraySpec& spec) {
  const Runs mine = runs_of(spec);
  std::vector<Runs> all(static_cast<std::size_t>(ranks().size()));
  for (const auto member : {&Runs::first, &Runs::length, &Runs::apart}) {
    const std::vector<double> numbers = ranks().numbers(static_cast<double>(mine.*member));
    for (std::size_t rank = 0; rank < all.size(); ++rank)
      all[rank].*member = static_cast<std::size_t>(numbers[rank]);
  }
  return all;
}

/// The first rank writes everyone's parts, or its own copy of an array that each rank has whole. If
/// that fails, all throw.
void write_output(const std::string& path, Type type, const ArraySpec& spec, const void* data) {
  const std::vector<Runs> runs = runs_of_ranks(spec);
  std::unique_ptr<NpyOutput> file;
  together([&] {
    if (ranks().is_first())
      file = std::make_unique<NpyOutput>(path, type, spec.rank, spec.whole.value_or(spec.extent));
  });
  std::exception_ptr error;
  const auto write = [&](int rank, const void* part, std::size_t bytes) {
    if (error || (rank != 0 && !spec.whole)) return;
    const Runs& of_rank = runs[static_cast<std::size_t>(rank)];
    const std::size_t count = bytes / size_of(type);
    const std::size_t length = of_rank.are_one() ? count : of_rank.length;
    try {
      for (std::size_t at = 0; at < count; at += length)
        file->write(static_cast<const std::byte*>(part) + at * size_of(type), of_rank.place(at),
                    length);
    } catch (...) { // the others still send
      error = std::current_exception();
    }
  };
  ranks().bring_to_first(data, element_count(spec) * size_of(type), write);
  together([&] {
    if (error) std::rethrow_exception(error);
    if (file) file->commit();
  });
}

void write_outputs(const Options& options, const Problem& problem, const Bench& bench) {
  const std::vector<ArraySpec> outputs = problem.outputs();
  for (const auto& [name, path] : options.outputs)
    for (std::size_t k = 0; k < outputs.size(); ++k)
      if (is_array(name, *problem.algorithm, outputs[k]))
        write_output(path, outputs[k].type(problem.type), outputs[k], bench.host_output(0, k).data);
}

/// A row that an earlier process measured.
RowResult known_row(const FinishedRow& known, const Row& row, const Case& c,
                    const Session& session) {
  RowResult result = planned_row(row, c, session.options, session.device);
  result.portable = known.portable;
  result.native = known.native;
  result.reference = known.reference;
  result.no_reference = known.no_reference;
  result.streamed = known.streamed;
  return result;
}

/// Takes over the case's rows from the journal; returns how many.
std::size_t take_known_rows(const Case& c, Session& session) {
  if (session.journal == nullptr) return 0;
  const std::vector<RowResult>& rows = session.results.rows;
  const std::vector<FinishedRow>& known = session.journal->rows();
  std::size_t taken = 0;
  for (; taken < c.rows.size() && rows.size() < known.size(); ++taken)
    session.add(known_row(known[rows.size()], c.rows[taken], c, session));
  return taken;
}

void finish_row(RowResult row, Session& session) {
  if (session.journal != nullptr) session.journal->add(row);
  session.add(std::move(row));
}

/// A row that could not run at all.
RowResult failed_row(const Row& row, const Case& c, const Options& options, const Device& device,
                     const std::string& why) {
  RowResult result = planned_row(row, c, options, device);
  for (Measurement* m : measurements(result))
    m->failure = why;
  return result;
}

/// Runs all rows from `next` on; `next` counts those finished.
void run_rows(const Case& c, Session& session, std::size_t& next) {
  const Options& options = session.options;
  enter_row("");
  // Systems promise memory that they do not have, and kill whoever touches it.
  together([&] {
    if (const std::string why = memory_shortage(c.problem, session.device, variants_of(c));
        !why.empty())
      throw Error(why);
  });
  CaseBenches benches = open_case(c, next, options, session.device, session.reference_device);
  Bench& bench = *benches.bench;
  ReferenceRun reference;
  if (options.reference)
    reference = run_reference(c, session, std::move(benches.reference), benches.seen_reference);
  while (next < c.rows.size() && interrupted_anywhere() == 0) {
    const Row& row = c.rows[next];
    session.progress.next(std::string(c.problem.algorithm->name) + " " + row.name, weight_of(row));
    enter(c, row.name);
    RowResult result = run_row(row, c, options, bench, benches.seen[next]);
    if (interrupted_anywhere() != 0) return; // its measurement was cut short
    doubt_impossible_times(session.results, result);
    compare_with(reference, bench, result);
    if (result.subject().verified()) write_outputs(options, c.problem, bench);
    look_closer(options, bench, result);
    if (interrupted_anywhere() != 0) return; // a run that was to tell its stages was
    finish_row(std::move(result), session);
    ++next;
  }
}

void run_case(const Case& c, Session& session) {
  std::size_t next = together([&] { return take_known_rows(c, session); });
  if (next == c.rows.size() || interrupted_anywhere() != 0) return;
  try {
    run_rows(c, session, next);
  } catch (const InputError&) {
    throw;
  } catch (const std::exception& error) {
    if (ranks().several() && !is_shared(error)) throw; // others go on and would wait for this one
    for (std::size_t k = next; k < c.rows.size(); ++k)
      finish_row(failed_row(c.rows[k], c, session.options, session.device, error.what()), session);
  }
}

} // namespace

std::string no_such_variant(const Case& c) {
  return std::string(c.problem.algorithm->name) + " has no such variant";
}

Results planned_results(const Options& options, const std::vector<Case>& cases, Device& device,
                        const Ceilings& ceilings) {
  Results results{&device, ceilings, "", {}, options.stop, options.max_ratio};
  if (options.reference) {
    const ReferenceSpec& r = *options.reference;
    results.reference = r.model + "/" + r.variant;
    if (!r.backend.name.empty()) results.reference += "@" + r.backend.name;
    if (r.backend.threads > 0) results.reference += ":" + std::to_string(r.backend.threads);
  }
  for (const Case& c : cases)
    for (const Row& row : c.rows)
      results.rows.push_back(planned_row(row, c, options, device));
  return results;
}

Results run_cases(const Options& options, const std::vector<Case>& cases, Device& device,
                  Device& reference_device, const Ceilings& ceilings, Journal* journal,
                  const std::function<void(RowResult&)>& show) {
  Results results = planned_results(options, {}, device, ceilings);
  if (journal != nullptr) results.interrupted_runs = journal->dates();
  const std::size_t known = journal == nullptr ? 0 : journal->rows().size();
  Session session{options,
                  device,
                  reference_device,
                  journal,
                  show,
                  {known, row_count(cases), weight_behind(known, cases), is_restarted()},
                  std::move(results)};
  together([&] { // only the first rank may have one
    if (journal != nullptr) check_journal(*journal, cases, options, device, reference_device);
  });
  for (const Case& c : cases)
    run_case(c, session);
  return std::move(session.results);
}

} // namespace ado::bench
