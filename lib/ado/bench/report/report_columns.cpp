// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The columns of the table: title, meaning, and what stands in them.
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/io/number.hpp>
#include <ado/bench/report/report_columns.hpp>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace ado {
namespace {

/// "0.1234", "12.34", "1234"
std::string four_digits(double value) {
  const int digits = value >= 1000  ? 0
                     : value >= 100 ? 1
                     : value >= 10  ? 2
                     : value >= 1   ? 3
                     : value >= 0.1 ? 4
                                    : 5;
  char text[48];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string milliseconds(const Results& results, const Measurement& m) {
  if (m.seconds.empty()) return "-";
  const char* mark = !results.max_noise ? "" : too_noisy(results, m) ? "~" : " ";
  return four_digits(median(m.seconds) * 1e3) + mark;
}

std::string gigabytes_a_second(const RowResult& row, const Measurement& m) {
  return m.seconds.empty() ? "-" : four_digits(row.traffic().bytes() / median(m.seconds) / 1e9);
}

/// Enough of them for its size.
const char* digits_of(const Ratio& ratio, const char* digits_near_1) {
  return ratio.value < 2 ? digits_near_1 : ratio.value < 10 ? "%.2f" : "%.1f";
}

} // namespace

std::string native_text(const RowResult& row) {
  const Variant* native = row.native.variant;
  if (native == nullptr) return "-";
  const bool same = row.portable.variant == nullptr || row.portable.variant->name == native->name;
  return same ? std::string(name_of(native->model)) : full_name(*native);
}

std::string ratio_text(const Ratio& ratio, const char* digits_near_1) {
  return number(digits_of(ratio, digits_near_1), ratio.value) +
         (verdict_of(ratio) == Verdict::inconclusive ? "?" : " ");
}

std::string interval_text(const Ratio& ratio, const char* digits_near_1) {
  const char* digits = digits_of(ratio, digits_near_1);
  return ratio.has_interval() ? number(digits, ratio.low) + "-" + number(digits, ratio.high) : "";
}

std::string verdict_text(const RowResult& row) {
  std::vector<std::pair<std::string, std::string>> troubles; // side, reason
  const auto note = [&](const char* side, const Measurement& m, const std::string& missing) {
    const bool no_bound = !m.unverified.empty() && m.unverified != not_verified;
    const std::string& why = !m.failure.empty() ? m.failure : no_bound ? m.unverified : missing;
    if (why.empty()) return;
    if (!troubles.empty() && troubles.back().second == why)
      troubles.back().first += std::string(" and ") + side;
    else
      troubles.emplace_back(side, why);
  };
  note("portable", row.portable, "");
  note("native", row.native, row.no_native);
  note("reference", row.reference, row.no_reference);
  std::string text = row.subject().seconds.empty() ? "" : "verified";
  if (!text.empty() && !row.portable.failure.empty()) text = "native verified";
  if (!text.empty() && !row.native.failure.empty()) text = "portable verified";
  if (!text.empty() && !row.subject().unverified.empty()) text = "not verified";
  if (row.streamed) text += (text.empty() ? "" : "; ") + stream_note(*row.streamed);
  if (const std::string why = throttled(row); !why.empty()) text += "; throttled: " + why;
  for (const auto& [side, why] : troubles)
    text += (text.empty() ? "" : "; ") + side + ": " + why;
  return text;
}

std::string verdict_word(const RowResult& row) {
  bool failed = false, skipped = false;
  for (const Measurement* m : {&row.portable, &row.native}) {
    if (m->ran && !m->failure.empty()) return "WRONG";
    skipped = skipped || m->skipped;
    failed = failed || (!m->failure.empty() && !m->skipped);
  }
  if (failed || skipped) return failed ? "failed" : "skipped";
  if (!row.portable.unverified.empty() || !row.native.unverified.empty()) return "not verified";
  return row.subject().seconds.empty() ? "-" : "verified";
}

namespace {

std::string share_text(const Results& results, const RowResult& row) {
  if (row.subject().seconds.empty()) return "-";
  const double share = share_of_ceiling(results, row, row.subject());
  return number("%.2f", share) + (share > 1 ? "!" : " ");
}

/// Without its nearness to the roof, which is the share of the ceiling.
std::string limiter_text(const Results& results, const RowResult& row) {
  if (row.subject().seconds.empty()) return "-";
  const std::string_view text = limiter(results, row, row.subject());
  return std::string(text.substr(0, text.find(',')));
}

bool any(const RowResult&) { return true; }
bool has_portable(const RowResult& row) { return row.portable.variant != nullptr; }
bool has_native(const RowResult& row) { return row.native.variant != nullptr; }
bool has_both(const RowResult& row) { return has_portable(row) && has_native(row); }

bool always(const Results&) { return true; }
/// With the columns of a reference the table would be too wide for these; the records have them.
bool has_no_reference(const Results& results) { return results.reference.empty(); }
bool has_reference(const Results& results) { return !results.reference.empty(); }
bool shows_transfers(const Results& results) {
  return results.reference.empty() && !results.device->on_host;
}

/// Beside what --stride does to the time, what its sectors or cache lines predict.
bool has_strides(const Results& results) {
  return std::any_of(results.rows.begin(), results.rows.end(),
                     [](const RowResult& row) { return row.launch.stride > 0; });
}

const char* const of_ms =
    "median of the timed runs; marked where their quartiles are further apart\n"
    "than --max-noise";
const char* const of_gbs = "all inputs and outputs, moved once each, over ms; 1 GB = 1e9 bytes";

} // namespace

const std::vector<ReportColumn>& report_columns() {
  static const std::vector<ReportColumn> columns{
      {"variant",
       {"variant", false, "its name, and launch parameters where these are swept"},
       0,
       always,
       any,
       [](const Results&, const RowResult& r) { return r.name; }},
      {"ms",
       {"portable\nms", true, of_ms},
       0,
       always,
       has_portable,
       [](const Results& all, const RowResult& r) { return milliseconds(all, r.portable); }},
      {"GB/s",
       {"\nGB/s", true, of_gbs, 6},
       4,
       always,
       has_portable,
       [](const Results&, const RowResult& r) { return gigabytes_a_second(r, r.portable); }},
      {"ms",
       {"native\nms", true, of_ms, 8},
       0,
       always,
       has_native,
       [](const Results& all, const RowResult& r) { return milliseconds(all, r.native); }},
      {"GB/s",
       {"\nGB/s", true, of_gbs, 6},
       4,
       always,
       has_native,
       [](const Results&, const RowResult& r) { return gigabytes_a_second(r, r.native); }},
      {"native",
       {"native", false,
        "the hand-written variant that the portable one runs in turn with: its\n"
        "model, and its name where that is another: openmp/team"},
       0,
       always,
       has_native,
       [](const Results&, const RowResult& r) { return native_text(r); }},
      {"portable/native",
       {"portable\n/native", true,
        "time over time, run by run; below 1 the portable one is faster;\n"
        "? undecided: neither within 1 % nor surely off 1"},
       0,
       always,
       has_both,
       [](const Results&, const RowResult& r) {
         const auto ratio = portable_over_native(r);
         return ratio ? ratio_text(*ratio) : "-";
       }},
      {"95 % interval",
       {"95 %\ninterval", false, "of portable/native; it takes nine runs", 11},
       1,
       always,
       has_both,
       [](const Results&, const RowResult& r) {
         const auto ratio = portable_over_native(r);
         return ratio ? interval_text(*ratio) : std::string();
       }},
      {"of ceiling",
       {"of\nceiling", true,
        "least time that the measured ceilings allow, over ms of the portable\n"
        "one, else the native; ! is beyond them: the cache helped, or the\n"
        "machine was disturbed while they were measured"},
       0,
       has_no_reference,
       any,
       share_text},
      {"predicted",
       {"predicted", true,
        "of --stride: what `of ceiling` would be by the index formulas. Memory\n"
        "moves 64 bytes at a time, and a GPU stores 32, which it reads before\n"
        "where a part of them is stored; pieces that lie apart move at the\n"
        "scattered rates above. No cache keeps what another access will ask for"},
       0,
       has_strides,
       any,
       [](const Results& all, const RowResult& r) {
         const auto share = predicted_share(all, r, r.subject());
         return share ? number("%.3f", *share) : "-";
       }},
      {"limiter",
       {"limiter", false,
        "estimated: memory or compute from 60 % of its ceiling on, balanced\n"
        "where both are near, latency where neither is",
        8},
       0,
       has_no_reference,
       any,
       limiter_text},
      {"total ms",
       {"total\nms", true, "one run with the copies from and to host memory", 7},
       3,
       shows_transfers,
       any,
       [](const Results&, const RowResult& r) {
         const double seconds = r.subject().with_transfers;
         return seconds > 0 ? four_digits(seconds * 1e3) : "-";
       }},
      {"speedup",
       {"speedup,\n95 % interval", false,
        "times of the --reference variant over times of this one: the median of\n"
        "the ratios of all to all, and its interval, which takes four runs of\n"
        "each; they do not run in turn; ? as of portable/native",
        17},
       0,
       has_reference,
       any,
       [](const Results&, const RowResult& r) {
         const auto ratio = speedup(r, r.subject());
         return ratio ? ratio_text(*ratio, "%.2f") + " " + interval_text(*ratio, "%.2f") : "-";
       }},
      {"max diff",
       {"max diff", true,
        "largest difference of an element from the one that the --reference\nvariant gives"},
       0,
       has_reference,
       any,
       [](const Results&, const RowResult& r) {
         const Measurement& m = r.subject();
         return speedup(r, m) ? number("%.2g", m.max_difference) : "-";
       }},
      {"verdict",
       {"verdict", false,
        "verified: each element within its error bound, inputs unchanged;\n"
        "what is wrong or could not run shows no time",
        8},
       2,
       always,
       any,
       [](const Results&, const RowResult& r) { return verdict_word(r); }}};
  return columns;
}

const std::vector<RowVerdict>& row_verdicts() {
  static const std::vector<RowVerdict> verdicts{
      {"verified",
       "Each element of the result is within its error bound, nothing else was written, inputs\n"
       "are unchanged. native verified, portable verified: the other one is not, see behind it."},
      {"not verified", "--skip-verification: nobody looked at the result."},
      {"streamed", "Its arrays are larger than the device's memory, or than --device-memory: the "
                   "variant ran on\n"
                   "one slice after the other, and the copies are in its time."},
      {"throttled",
       "What held the GPU's clock down before or behind the timed runs: they were slower."},
      {"WRONG", "What is wrong with the result first, and in which run. It has no times."}};
  return verdicts;
}

std::vector<const ReportColumn*> columns_of(const Results& results) {
  std::vector<const ReportColumn*> columns;
  for (const ReportColumn& column : report_columns())
    if (column.shown(results)) columns.push_back(&column);
  return columns;
}

} // namespace ado
