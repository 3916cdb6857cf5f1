// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/io/number.hpp>
#include <ado/bench/report/cells.hpp>

#include <cstdio>
#include <utility>

namespace ado::bench {
namespace {

/// As many digits as its size needs.
const char* digits_of(const Ratio& ratio, const char* digits_near_1) {
  return ratio.value < 2 ? digits_near_1 : ratio.value < 10 ? "%.2f" : "%.1f";
}

} // namespace

std::string four_digits(double value) {
  int digits = value >= 1000 ? 0 : value >= 100 ? 1 : value >= 10 ? 2 : 3;
  for (const double least : {1., 0.1, 1e-3, 1e-4, 1e-5, 1e-6})
    digits += value > 0 && value < least ? 1 : 0;
  char text[48];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

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

std::string brief_ratio_text(const Ratio& ratio, bool all_agree) {
  return number(ratio.value < 10 ? "%.1f" : "%.0f", ratio.value) + (all_agree ? " " : "?");
}

std::string interval_text(const Ratio& ratio, const char* digits_near_1) {
  if (is_open(ratio)) return "too noisy";
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

const std::vector<RowVerdict>& row_verdicts() {
  static const std::vector<RowVerdict> verdicts{
      {"verified",
       "Each element of the result is within its error bound, nothing else was written, inputs are "
       "unchanged. native verified, portable verified: the other one is not, see behind it."},
      {"not verified",
       "The result was not checked (--skip-verification), an error could hide within its bound, or "
       "it came at least three times faster than memory can move the data."},
      {"streamed", "Its arrays are larger than the device's memory, or than --device-memory: the "
                   "variant ran on one slice after the other, and the copies are in its time."},
      {"throttled",
       "What held the GPU's clock down before or behind the timed runs: they were slower."},
      {"WRONG", "What is wrong with the result first, and in which run. It has no times."}};
  return verdicts;
}

} // namespace ado::bench
