// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/io/files.hpp>
#include <ado/bench/io/number.hpp>
#include <ado/bench/report/report.hpp>
#include <ado/bench/report/timeline.hpp>
#include <ado/bench/run/run_facts.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <ostream>

namespace ado::bench {
namespace {

constexpr std::array all_stages{Stage::allocate, Stage::prepare,  Stage::copy_in,
                                Stage::compute,  Stage::copy_out, Stage::store};

constexpr double left = 80, right = 20, top = 46, lane_height = 34, bar_height = 26, width = 900,
                 below = 34;

/// Neighbouring chunks differ, also for the colour-blind (Okabe and Ito).
constexpr std::array<const char*, 6> colours{"#56b4e9", "#e69f00", "#009e73",
                                             "#f0e442", "#cc79a7", "#d55e00"};

bool same_problem(const RowResult& a, const RowResult& b) {
  return problem_name(a.problem) == problem_name(b.problem);
}

/// Whether another row is about this native variant.
bool has_own_row(const Results& results, const RowResult& row, const Measurement& m) {
  return std::any_of(results.rows.begin(), results.rows.end(), [&](const RowResult& other) {
    return same_problem(other, row) && other.native.variant == m.variant &&
           !stands_in(m.variant, other.portable.variant);
  });
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text)
    safe += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return safe;
}

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return "<text x=\"" + number("%.1f", x) + "\" y=\"" + number("%.1f", y) + "\" text-anchor=\"" +
         anchor + "\">" + escaped(text) + "</text>\n";
}

/// The largest of 1, 2 and 5 times a power of ten with at least five marks on the axis.
double step_of(double length) {
  const double power = std::pow(10, std::floor(std::log10(length / 5)));
  for (const double factor : {5.0, 2.0})
    if (length / (factor * power) >= 5) return factor * power;
  return power;
}

std::string axis(double milliseconds, double scale, double bottom) {
  std::string svg;
  const double step = step_of(milliseconds);
  const int digits = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  for (int k = 0; k * step <= milliseconds; ++k) {
    const double x = left + k * step * scale;
    svg += "<line x1=\"" + number("%.1f", x) + "\" x2=\"" + number("%.1f", x) + "\" y1=\"" +
           number("%.1f", top) + "\" y2=\"" + number("%.1f", bottom) + "\" stroke=\"#ddd\"/>\n";
    char mark[32];
    std::snprintf(mark, sizeof mark, "%.*f", digits, k * step);
    svg += text_at(x, bottom + 16, "middle", mark);
  }
  return svg + text_at(width - right, bottom + 30, "end", "ms");
}

std::string bar(const StageSpan& span, double y, double scale) {
  const double x = left + span.begin * 1e3 * scale, length = (span.end - span.begin) * 1e3 * scale;
  const std::string chunk = std::to_string(span.chunk);
  std::string svg = "<rect x=\"" + number("%.2f", x) + "\" y=\"" + number("%.1f", y) +
                    "\" width=\"" + number("%.2f", length) + "\" height=\"" +
                    number("%.0f", bar_height) + "\" fill=\"" +
                    colours[span.chunk % colours.size()] + "\"><title>chunk " + chunk + ", " +
                    std::string(name_of(span.stage)) + " " +
                    number("%.4g ms</title></rect>\n", (span.end - span.begin) * 1e3);
  constexpr double digit = 7; // width of a digit
  if (length >= digit * static_cast<double>(chunk.size()) + 3)
    svg += text_at(x + length / 2, y + bar_height / 2 + 4, "middle", chunk);
  return svg;
}

} // namespace

std::vector<Staged> staged_variants(const Results& results) {
  std::vector<Staged> all;
  for (const RowResult& row : results.rows)
    for (const Measurement* m : {&row.portable, &row.native}) {
      if (m->stages.spans.empty()) continue;
      const bool guest = stands_in(m->variant, row.portable.variant);
      const bool known = std::any_of(all.begin(), all.end(), [&](const Staged& other) {
        return other.measurement->variant == m->variant && same_problem(*other.row, row);
      });
      if (guest && (known || has_own_row(results, row, *m))) continue;
      const std::string name = guest ? std::string(m->variant->name) : row.name;
      all.push_back({&row, m, std::string(name_of(m->variant->model)) + "/" + name});
    }
  return all;
}

std::string timeline_svg(const std::string& title, const StageTimes& times) {
  const double milliseconds = std::max(times.elapsed * 1e3, 1e-6);
  const double scale = (width - left - right) / milliseconds;
  std::string bars;
  double y = top + (lane_height - bar_height) / 2;
  for (const Stage stage : all_stages) {
    const std::vector<StageSpan> lane = lane_of(times, stage);
    if (lane.empty()) continue;
    bars += text_at(left - 8, y + bar_height / 2 + 4, "end", std::string(name_of(stage)));
    for (const StageSpan& span : lane)
      bars += bar(span, y, scale);
    y += lane_height;
  }
  const double bottom = y;
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number("%.0f ", width) +
         number("%.0f", bottom + below) +
         "\" font-family=\"sans-serif\" font-size=\"12\">\n"
         "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n" +
         text_at(10, 24, "start", title) + axis(milliseconds, scale, bottom) + bars + "</svg>\n";
}

std::string timeline_trace(const std::vector<std::pair<std::string, StageTimes>>& runs) {
  using Json = nlohmann::ordered_json;
  Json events = Json::array();
  for (std::size_t process = 0; process < runs.size(); ++process) {
    const auto& [title, times] = runs[process];
    const auto name_it = [&](const char* what, std::size_t lane, std::string_view name) {
      events.push_back({{"ph", "M"},
                        {"name", what},
                        {"pid", process},
                        {"tid", lane},
                        {"args", {{"name", name}}}});
    };
    name_it("process_name", 0, title);
    for (std::size_t lane = 0; lane < all_stages.size(); ++lane) {
      const std::vector<StageSpan> spans = lane_of(times, all_stages[lane]);
      if (!spans.empty()) name_it("thread_name", lane, name_of(all_stages[lane]));
      for (const StageSpan& span : spans)
        events.push_back({{"ph", "X"},
                          {"name", "chunk " + std::to_string(span.chunk)},
                          {"cat", name_of(span.stage)},
                          {"pid", process},
                          {"tid", lane},
                          {"ts", span.begin * 1e6},
                          {"dur", (span.end - span.begin) * 1e6}});
    }
  }
  const Json trace{{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}};
  return trace.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string timeline_path(const std::string& path, const std::string& name) {
  std::string part = "_";
  for (const char c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (plain || part.back() != '_') part += plain ? c : '_';
  }
  const std::size_t folder = path.rfind('/'), dot = path.rfind('.');
  const bool has_ending = dot != std::string::npos && (folder == std::string::npos || dot > folder);
  return has_ending ? path.substr(0, dot) + part + path.substr(dot) : path + part;
}

void write_timelines(const std::string& path, const Results& results, std::ostream& out) {
  const std::vector<Staged> all = staged_variants(results);
  const auto title_of = [&](const Staged& one) {
    return one.name + ", " + problem_name(one.row->problem) + "; " + results.device->description;
  };
  const auto write = [&](const std::string& to, const std::string& text) {
    OutputFile file(to);
    file.write(text.data(), text.size());
    file.commit();
    out << "timeline: " << to << '\n';
  };
  if (path.ends_with(".json")) {
    std::vector<std::pair<std::string, StageTimes>> runs;
    for (const Staged& one : all)
      runs.emplace_back(title_of(one), one.measurement->stages);
    return write(path, timeline_trace(runs));
  }
  const bool several_problems = std::any_of(all.begin(), all.end(), [&](const Staged& one) {
    return !same_problem(*one.row, *all.front().row);
  });
  for (const Staged& one : all) {
    std::string name = one.name;
    if (several_problems) name += "_" + case_name(one.row->problem);
    write(all.size() == 1 ? path : timeline_path(path, name),
          timeline_svg(title_of(one), one.measurement->stages));
  }
}

} // namespace ado::bench
