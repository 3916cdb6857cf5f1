// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/io/files.hpp>
#include <ado/bench/io/shallow_json.hpp>
#include <ado/bench/measure/ceilings_text.hpp>
#include <ado/bench/ranks/ranks.hpp>
#include <ado/bench/run/ceilings_file.hpp>
#include <ado/bench/stream/memory_need.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace ado::bench {
namespace {

using Json = nlohmann::json;

/// A list of {"machine": [[name, value], ...], "ceilings": {...}}; empty: no file.
Json entries_in(const std::string& path) {
  std::error_code error;
  if (std::filesystem::status(path, error).type() == std::filesystem::file_type::not_found)
    return Json::array();
  try {
    const Json entries = parse_shallow_json(read_file(path)).at("ado_ceilings");
    for (const Json& entry : entries) {
      entry.at("machine").get<RunIdentity>();
      ceilings_from_text(entry.at("ceilings").dump());
    }
    if (entries.is_array()) return entries;
  } catch (const InputError&) {
    throw;
  } catch (const std::exception&) { // reported below, with what to do
  }
  throw InputError(path + ": is no file of --ceilings; name another, or delete it");
}

MoreCeilings needed_by(const std::vector<Case>& cases, const Device& device) {
  MoreCeilings more;
  more.exchange = std::any_of(cases.begin(), cases.end(), [](const Case& c) {
    return c.problem.algorithm->bytes_sent != nullptr;
  });
  if (device.on_host) return more;
  for (const Case& c : cases) {
    more.link = more.link || moves_data(c.problem, device);
    more.scattered =
        more.scattered || std::any_of(c.rows.begin(), c.rows.end(),
                                      [](const Row& row) { return row.launch.stride > 0; });
  }
  return more;
}

/// The ceilings cache for runs of small arrays, after the XDG Base Directory Specification; empty:
/// no home.
std::string ceilings_cache() {
  const auto folder = [](const char* variable) {
    const char* value = std::getenv(variable);
    return std::filesystem::path(value == nullptr ? "" : value);
  };
  std::filesystem::path cache = folder("XDG_CACHE_HOME");
  if (cache.empty() && !folder("HOME").empty()) cache = folder("HOME") / ".cache";
  return cache.empty() ? "" : cache / "ado" / "ceilings.json";
}

/// Whether the ceilings would take longer than the rows, which caches serve anyway.
bool has_small_arrays_only(const std::vector<Case>& cases, const Device& device) {
  return std::all_of(cases.begin(), cases.end(),
                     [&](const Case& c) { return may_stay_in_cache(c.problem, device); });
}

/// Nobody asked for the cache, so one that cannot be read or written counts as absent.
std::optional<Ceilings> cached_ceilings(const std::string& path, const RunIdentity& machine) {
  try {
    return kept_ceilings(path, machine);
  } catch (const InputError&) {
    return {};
  }
}

void cache_ceilings(const std::string& path, const RunIdentity& machine, const Ceilings& ceilings) {
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  try {
    entries_in(path);
  } catch (const InputError&) {
    std::filesystem::remove(path, ignored);
  }
  try {
    keep_ceilings(path, machine, ceilings);
  } catch (const InputError&) { // see above
  }
}

} // namespace

std::optional<Ceilings> kept_ceilings(const std::string& path, const RunIdentity& machine) {
  for (const Json& entry : entries_in(path)) {
    if (entry.at("machine").get<RunIdentity>() != machine) continue;
    Ceilings ceilings = ceilings_from_text(entry.at("ceilings").dump());
    ceilings.kept_in = path;
    return ceilings;
  }
  return {};
}

void keep_ceilings(const std::string& path, const RunIdentity& machine, const Ceilings& ceilings) {
  Json entries = Json::array();
  for (const Json& entry : entries_in(path))
    if (entry.at("machine").get<RunIdentity>() != machine) entries.push_back(entry);
  entries.push_back({{"machine", machine}, {"ceilings", Json::parse(ceilings_text(ceilings))}});
  const std::string text = Json{{"ado_ceilings", entries}}.dump(1) + "\n";
  OutputFile file(path);
  file.write(text.data(), text.size());
  file.commit();
}

namespace {

/// With several ranks, the first one looks, and all get what it found.
std::optional<Ceilings> kept_for_run(const Options& options, const std::string& cache,
                                     const RunIdentity& machine, bool small) {
  return together([&]() -> std::optional<Ceilings> {
    if (!ranks().is_first()) return {};
    if (!options.ceilings.empty()) return kept_ceilings(options.ceilings, machine);
    if (!cache.empty() && small) return cached_ceilings(cache, machine);
    return {};
  });
}
std::optional<Ceilings> of_first_rank(const std::optional<Ceilings>& kept) {
  if (!ranks().several()) return kept;
  const std::string text = ranks().texts(kept ? ceilings_text(*kept) : "").front();
  if (text.empty()) return {};
  Ceilings ceilings = ceilings_from_text(text);
  if (kept) ceilings.kept_in = kept->kept_in;
  return ceilings;
}

/// What each rank reaches while all are at work; the slowest counts.
Ceilings measured_ceilings(Device& device, MoreCeilings more) {
  if (!ranks().several()) return measure_ceilings(device, more);
  ranks().line_up();
  Ceilings c = together([&] { return measure_ceilings(device, more); });
  for (double Ceilings::*of : {&Ceilings::read, &Ceilings::write, &Ceilings::copy,
                               &Ceilings::flops_f32, &Ceilings::flops_f64})
    c.*of = ranks().least(c.*of);
  if (more.exchange) c.exchange = ranks().exchange_bandwidth(device);
  return c;
}

} // namespace

Ceilings ceilings_of_run(const Options& options, Device& device, const std::vector<Case>& cases,
                         const RunFacts& facts, const Journal* journal) {
  if (journal != nullptr && journal->ceilings()) return *journal->ceilings();
  const RunIdentity machine = machine_identity(facts, device);
  const std::string cache = options.ceilings.empty() ? ceilings_cache() : "";
  MoreCeilings more = needed_by(cases, device);
  const auto kept =
      of_first_rank(kept_for_run(options, cache, machine, has_small_arrays_only(cases, device)));
  if (kept) {
    if (more.are_in(*kept)) return *kept;
    more = more.and_of(*kept); // new measurements replace all that is kept
  }
  Ceilings ceilings = measured_ceilings(device, more);
  ceilings.measured = facts.date;
  if (has_other_work(device)) ceilings.load_average = device.load_average;
  if (!ranks().is_first()) return ceilings;
  if (!options.ceilings.empty()) keep_ceilings(options.ceilings, machine, ceilings);
  if (!cache.empty() && !has_other_work(device)) cache_ceilings(cache, machine, ceilings);
  return ceilings;
}

} // namespace ado::bench
