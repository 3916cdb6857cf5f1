// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is reported of a variant in a row of the table. Add a new value here.
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/io/number.hpp>
#include <ado/bench/report/cells.hpp>
#include <ado/bench/report/fields.hpp>
#include <ado/bench/run/kernel_lines.hpp>

#include <algorithm>

namespace ado::bench {
namespace {

using Json = nlohmann::ordered_json;
using SideField = Field<Side>;
using SideFields = std::vector<SideField>;

Json known(std::string_view text) { return text.empty() ? Json() : Json(text); }
Json known(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

bool has_portable(const RowResult& row) { return row.portable.variant != nullptr; }
bool has_native(const RowResult& row) { return row.native.variant != nullptr; }
bool has_both(const RowResult& row) { return has_portable(row) && has_native(row); }

bool has_reference(const Results& results) { return !results.reference.empty(); }
/// A reference's columns would make other tables too wide; the records have them.
bool has_no_reference(const Results& results) { return results.reference.empty(); }
bool shows_transfers(const Results& results) {
  return results.reference.empty() && !results.device->on_host;
}
bool has_strides(const Results& results) {
  return std::any_of(results.rows.begin(), results.rows.end(),
                     [](const RowResult& row) { return row.launch.stride > 0; });
}

template <int percent>
Json seconds_quantile(const Side& s) {
  return s.timed() ? Json(quantile(s.m.seconds, percent / 100.0)) : Json();
}

template <Measurement RowResult::*side>
std::string milliseconds(const Side& s) {
  const Measurement& m = s.row.*side;
  if (m.seconds.empty()) return "-";
  const char* mark = !s.results.stop.max_noise ? "" : too_noisy(s.results, m) ? "~" : " ";
  return four_digits(median(m.seconds) * 1e3) + mark;
}
template <Measurement RowResult::*side>
std::string gigabytes_a_second(const Side& s) {
  const Measurement& m = s.row.*side;
  return m.seconds.empty() ? "-" : four_digits(s.row.traffic().bytes() / median(m.seconds) / 1e9);
}

/// A ratio may be missing, or its interval.
template <double Ratio::*part>
Json part_of(const std::optional<Ratio>& ratio) {
  const bool has = ratio && (part == &Ratio::value || ratio->has_interval());
  return has ? Json((*ratio).*part) : Json();
}
/// For portable variants.
template <double Ratio::*part>
Json ratio_part(const Side& s) {
  return &s.m == &s.row.portable ? part_of<part>(portable_over_native(s.row)) : Json();
}
template <double Ratio::*part>
Json speedup_part(const Side& s) {
  return part_of<part>(speedup(s.row, s.m));
}

std::string ratio_cell(const Side& s) {
  const auto ratio = portable_over_native(s.row);
  if (!ratio) return "-";
  return s.row.brief ? brief_ratio_text(*ratio, all_agree(s.row)) : ratio_text(*ratio);
}
std::string interval_cell(const Side& s) {
  const auto ratio = portable_over_native(s.row);
  return ratio ? interval_text(*ratio) : std::string();
}
std::string speedup_cell(const Side& s) {
  const auto ratio = speedup(s.row, s.m);
  return ratio ? ratio_text(*ratio, "%.2f") + " " + interval_text(*ratio, "%.2f") : "-";
}
std::string share_cell(const Side& s) {
  if (!s.timed()) return "-";
  const double share = share_of_ceiling(s.results, s.row, s.m);
  const bool cached =
      !s.results.stop.cold_cache && may_stay_in_cache(s.row.problem, *s.results.device);
  if (cached && share >= 2) return "cached!"; // 15.6 would say nothing of the kernel
  return number("%.2f", share) + (share > 1 ? "!" : " ");
}
std::string predicted_cell(const Side& s) {
  const auto share = predicted_share(s.results, s.row, s.m);
  return share ? number("%.3f", *share) : "-";
}
/// Without "near the roof", which the share of the ceiling shows.
std::string limiter_cell(const Side& s) {
  if (!s.timed()) return "-";
  const std::string_view text = limiter(s.results, s.row, s.m);
  return std::string(text.substr(0, text.find(',')));
}
std::string transfers_cell(const Side& s) {
  return s.m.with_transfers > 0 ? four_digits(s.m.with_transfers * 1e3) : "-";
}
std::string difference_cell(const Side& s) {
  return speedup(s.row, s.m) ? number("%.2g", s.m.max_difference) : "-";
}

template <int KernelLines::*part>
Json of_lines(const Side& s) {
  const KernelLines* const lines = kernel_lines(*s.m.variant);
  return lines == nullptr ? Json() : Json(lines->*part);
}

bool looked_at(const Measurement& m) { return m.ran && m.unverified != not_verified; }
template <double Check::*part>
Json of_check(const Side& s) {
  return looked_at(s.m) ? Json(s.m.check.*part) : Json();
}
template <std::size_t Measurement::*part>
Json of_outputs(const Side& s) {
  return looked_at(s.m) ? Json(s.m.*part) : Json();
}

constexpr const char* of_ms =
    "median of the timed runs; ~: their quartiles are further apart than --max-noise";
constexpr const char* of_gbs =
    "all inputs and outputs, moved once each, over the median; 1 GB = 1e9 bytes";

SideFields times() {
  return {
      {.name = "median_seconds",
       .meaning = of_ms,
       .value = seconds_quantile<50>,
       .shown = {{.title = "portable\nms",
                  .right = true,
                  .cell = milliseconds<&RowResult::portable>,
                  .word = "ms",
                  .concerns = has_portable}}},
      // JSON has it for each repetition.
      {.name = "bytes_per_second",
       .meaning = of_gbs,
       .value = [](const Side& s) -> Json {
         return s.timed() ? Json(s.row.traffic().bytes() / median(s.m.seconds)) : Json();
       },
       .json = "",
       .shown = {{.title = "\nGB/s",
                  .right = true,
                  .cell = gigabytes_a_second<&RowResult::portable>,
                  .least_width = 6,
                  .drop = 4,
                  .concerns = has_portable}}},
      {.meaning = of_ms,
       .shown = {{.title = "native\nms",
                  .right = true,
                  .cell = milliseconds<&RowResult::native>,
                  .word = "ms",
                  .least_width = 8,
                  .concerns = has_native}}},
      {.meaning = of_gbs,
       .shown = {{.title = "\nGB/s",
                  .right = true,
                  .cell = gigabytes_a_second<&RowResult::native>,
                  .least_width = 6,
                  .drop = 4,
                  .concerns = has_native}}},
      {.name = "first_quartile_seconds",
       .meaning = "a quarter of the timed runs took less",
       .value = seconds_quantile<25>},
      {.name = "third_quartile_seconds",
       .meaning = "a quarter of the timed runs took more",
       .value = seconds_quantile<75>},
      {.name = "least_seconds", .meaning = "the fastest timed run", .value = seconds_quantile<0>},
      {.name = "repetitions",
       .meaning = "how many timed runs",
       .value = [](const Side& s) -> Json { return s.m.seconds.size(); },
       .json = ""},
      {.name = "stopped_by",
       .meaning = "the rule or limit that ended the timed runs",
       .value = [](const Side& s) { return known(s.m.stopped_by); }}};
}

SideFields comparison() {
  return {
      {.name = "native",
       .meaning =
           "the hand-written variant that the portable one runs in turn with: its model, and "
           "its name where that is another: openmp/team",
       .value = [](const Side& s) -> Json {
         const bool compared = !ratio_part<&Ratio::value>(s).is_null();
         return known(compared ? full_name(*s.row.native.variant) : "");
       },
       .shown = {{.title = "native",
                  .cell = [](const Side& s) { return native_text(s.row); },
                  .concerns = has_native}}},
      {.name = "portable_over_native",
       .meaning = "time over time, run by run; below 1 the portable one is faster; ? undecided: "
                  "neither off by 1 % with an interval that leaves out 1, nor all of it within 1 % "
                  "of 1",
       .value = ratio_part<&Ratio::value>,
       .shown = {{.title = "portable\n/native",
                  .right = true,
                  .cell = ratio_cell,
                  .word = "portable/native",
                  .concerns = has_both}}},
      {.name = "portable_over_native_low",
       .meaning = "lower end of the 95 % interval of portable_over_native",
       .value = ratio_part<&Ratio::low>},
      {.name = "portable_over_native_high",
       .meaning = "upper end of the 95 % interval of portable_over_native",
       .value = ratio_part<&Ratio::high>},
      {.meaning = "of portable/native; it takes nine runs, or six processes",
       .shown = {{.title = "95 %\ninterval",
                  .cell = interval_cell,
                  .least_width = 11,
                  .drop = 1,
                  .concerns = has_both}}},
      {.meaning = "portable/native in each of the processes that --processes asks for",
       .value =
           [](const Side& s) {
             Json ratios = Json::array();
             for (const Ratio& ratio : s.row.processes)
               ratios.push_back(ratio.value);
             return &s.m == &s.row.portable && !ratios.empty() ? ratios : Json();
           },
       .json = "processes"},
      {.name = "shared_kernel",
       .meaning = "the header whose kernel both variants of a pair run; empty: each has its own",
       .value =
           [](const Side& s) {
             return known(&s.m == &s.row.portable ? shared_kernel(s.row) : "");
           }},
      {.name = "kernel_lines",
       .meaning = "of each way to write Kokkos: lines of its source that CPUs or CUDA make code of",
       .value = of_lines<&KernelLines::all>},
      {.name = "kernel_lines_of_one_backend",
       .meaning = "those of kernel_lines that only one of the two compiles",
       .value = of_lines<&KernelLines::of_one_backend>}};
}

SideFields limits() {
  return {
      {.name = "share_of_ceiling",
       .meaning =
           "least time that the measured ceilings allow, over the median of the portable one, "
           "else the native; ! is beyond them: the cache helped, or the machine was disturbed "
           "while they were measured; cached!: twice as fast as memory, or more",
       .value = [](const Side& s) -> Json {
         return s.timed() ? Json(share_of_ceiling(s.results, s.row, s.m)) : Json();
       },
       .shown =
           {{.title = "of\nceiling", .right = true, .cell = share_cell, .in = has_no_reference}}},
      {.name = "predicted_share_of_ceiling",
       .meaning =
           "of --stride: what `of ceiling` would be by the index formulas. Memory moves 64 "
           "bytes at a time, and a GPU stores 32, which it reads before where a part of them "
           "is stored; pieces that lie apart move at the scattered rates above. No cache "
           "keeps what another access will ask for",
       .value =
           [](const Side& s) {
             return known(s.row.launch.stride > 0 ? predicted_share(s.results, s.row, s.m)
                                                  : std::nullopt);
           },
       .shown = {{.title = "by\nmodel", .right = true, .cell = predicted_cell, .in = has_strides}}},
      {.name = "limiter_estimated",
       .meaning =
           "estimated: memory or compute from 60 % of its ceiling on, balanced where both are "
           "near, latency where neither is",
       .value =
           [](const Side& s) {
             return known(s.timed() ? limiter(s.results, s.row, s.m) : std::string_view());
           },
       .shown =
           {{.title = "limiter", .cell = limiter_cell, .least_width = 8, .in = has_no_reference}}},
      {.name = "seconds_with_transfers",
       .meaning = "one run with the copies from and to host memory; of a GPU",
       .value =
           [](const Side& s) {
             return s.timed() && s.m.with_transfers > 0 ? Json(s.m.with_transfers) : Json();
           },
       .shown = {{.title = "total\nms",
                  .right = true,
                  .cell = transfers_cell,
                  .least_width = 7,
                  .drop = 3,
                  .in = shows_transfers}}}};
}

double skew_of(const Measurement& m) {
  const auto [least, most] = std::minmax_element(m.rank_seconds.begin(), m.rank_seconds.end());
  return (*most - *least) / *most;
}
bool has_ranks(const Results& results) { return !results.device->ranks.empty(); }
bool has_exchange(const Results& results) {
  return std::any_of(results.rows.begin(), results.rows.end(),
                     [](const RowResult& row) { return bytes_sent(row).has_value(); });
}

/// Only for several ranks.
SideFields of_ranks() {
  return {
      {.meaning = "the median of each rank",
       .value = [](const Side& s) -> Json {
         return s.m.rank_seconds.empty() ? Json() : Json(s.m.rank_seconds);
       },
       .json = "rank_seconds"},
      {.name = "skew",
       .meaning =
           "of several ranks: by what part of the slowest one's median the fastest one's is less",
       .value = [](const Side& s) -> Json {
         return s.m.rank_seconds.empty() ? Json() : Json(skew_of(s.m));
       },
       .shown = {{.title = "skew",
                  .right = true,
                  .cell =
                      [](const Side& s) {
                        return s.m.rank_seconds.empty() ? "-" : number("%.2f", skew_of(s.m));
                      },
                  .in = has_ranks}}},
      {.name = "sent_bytes",
       .meaning = "of several ranks: what a rank sends to others",
       .value = [](const Side& s) { return known(bytes_sent(s.row)); }},
      {.name = "bus_bytes_per_second",
       .meaning = "what a rank sends to others over the median, which is the bus bandwidth of "
                  "nccl-tests' alltoall",
       .value =
           [](const Side& s) {
             const auto bytes = bytes_sent(s.row);
             return known(bytes && s.timed() ? std::optional(*bytes / median(s.m.seconds))
                                             : std::nullopt);
           },
       .shown = {{.title = "bus\nGB/s",
                  .right = true,
                  .cell =
                      [](const Side& s) {
                        const auto bytes = bytes_sent(s.row);
                        return bytes && s.timed() ? four_digits(*bytes / median(s.m.seconds) / 1e9)
                                                  : std::string("-");
                      },
                  .word = "bus GB/s",
                  .in = has_exchange}}},
      {.name = "share_of_exchange",
       .meaning = "1: as fast as an exchange of the same bytes and nothing else",
       .value = [](const Side& s) { return known(share_of_exchange(s.results, s.row, s.m)); },
       .shown = {{.title = "of\nexchange",
                  .right = true,
                  .cell =
                      [](const Side& s) {
                        const auto share = share_of_exchange(s.results, s.row, s.m);
                        return share ? number("%.2f", *share) : std::string("-");
                      },
                  .in = has_exchange}}}};
}

SideFields reference() {
  return {
      {.name = "reference",
       .meaning = "the variant of --reference",
       .value = [](const Side& s) { return known(s.results.reference); }},
      {.name = "speedup",
       .meaning =
           "times of the --reference variant over times of this one: the median of the ratios "
           "of all to all, and its interval, which takes four runs of each; they do not run in "
           "turn; ? as of portable/native",
       .value = speedup_part<&Ratio::value>,
       .shown = {{.title = "speedup,\n95 % interval",
                  .cell = speedup_cell,
                  .word = "speedup",
                  .least_width = 17,
                  .in = has_reference}}},
      {.name = "speedup_low",
       .meaning = "lower end of the 95 % interval of speedup",
       .value = speedup_part<&Ratio::low>},
      {.name = "speedup_high",
       .meaning = "upper end of the 95 % interval of speedup",
       .value = speedup_part<&Ratio::high>},
      {.name = "max_difference",
       .meaning =
           "largest difference of an element from the one that the --reference variant gives",
       .value =
           [](const Side& s) { return speedup(s.row, s.m) ? Json(s.m.max_difference) : Json(); },
       .shown = {
           {.title = "max diff", .right = true, .cell = difference_cell, .in = has_reference}}}};
}

SideFields outcome() {
  return {
      {.name = "verified",
       .meaning =
           "whether each element is within its error bound and inputs are unchanged; what is "
           "wrong or could not run has no time",
       .value = [](const Side& s) -> Json { return s.m.verified(); },
       .in_each = true,
       .shown = {{.title = "verdict",
                  .cell = [](const Side& s) { return verdict_word(s.row); },
                  .least_width = 8,
                  .drop = 2}}},
      {.name = "reason",
       .meaning = "why there are no times, or why they are not verified",
       .value =
           [](const Side& s) { return known(!s.m.failure.empty() ? s.m.failure : s.m.unverified); },
       .json = ""},
      {.meaning = "why the times are not verified",
       .value = [](const Side& s) { return known(s.m.unverified); },
       .json = "reason",
       .in_each = true},
      {.name = "max_error",
       .meaning = "largest difference of an element from the exact result",
       .value = of_check<&Check::max_error>},
      {.name = "share_of_error_bound",
       .meaning = "of the worst element; above 1 the result is wrong",
       .value = of_check<&Check::worst_bound_share>},
      {.name = "witness_elements",
       .meaning = "of the largest input in the first run; if there is a witness, any one that is "
                  "left out was sure to show",
       .value = of_outputs<&Measurement::witnessed>},
      {.name = "distinct_outputs",
       .meaning =
           "bit patterns among the outputs of the timed runs; 1: the result is deterministic",
       .value = of_outputs<&Measurement::distinct_outputs>}};
}

} // namespace

const std::vector<SideField>& side_fields() {
  static const SideFields fields = [] {
    SideFields all;
    for (const auto part : {problem_fields, times, comparison, limits, of_ranks, reference, outcome,
                            condition_fields, prediction_fields})
      for (SideField& field : part())
        all.push_back(std::move(field));
    return all;
  }();
  return fields;
}

std::string one_line(const std::string& title) {
  std::string line = title.substr(title.find_first_not_of('\n'));
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

std::vector<const SideField*> columns_of(const Results& results) {
  std::vector<const SideField*> columns;
  for (const SideField& field : side_fields())
    if (field.shown && field.shown->in(results)) columns.push_back(&field);
  return columns;
}

std::string cell_of(const SideField& column, const Results& results, const RowResult& row) {
  return column.shown->cell({results, row, row.subject()});
}

} // namespace ado::bench
