// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/device/host_ceilings.hpp>
#include <ado/bench/io/number.hpp>
#include <ado/bench/io/program.hpp>
#include <ado/bench/io/text_table.hpp>
#include <ado/bench/io/version.hpp>
#include <ado/bench/report/report.hpp>
#include <ado/bench/run/kernel_lines.hpp>
#include <ado/bench/run/run_facts.hpp>
#include <ado/registry/registry.hpp>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <string>
#include <vector>

namespace ado::bench {
namespace {

std::string size_or_unknown(std::size_t bytes) {
  return bytes == 0 ? "unknown" : bytes_text(static_cast<double>(bytes));
}

/// The algorithm's variants in the order in which a run shows them.
std::vector<const Variant*> ladder_of(const Algorithm& algorithm,
                                      std::vector<const Variant*> list) {
  std::stable_sort(list.begin(), list.end(), [&](const Variant* a, const Variant* b) {
    return place_of(algorithm, a->name) < place_of(algorithm, b->name);
  });
  return list;
}

} // namespace

std::string problem_name(const Problem& problem) {
  std::string text =
      std::string(problem.algorithm->name) + " " + std::string(name_of(problem.type));
  for (std::size_t k = 0; k < problem.algorithm->sizes.size(); ++k)
    text += (k == 0 ? ": " : " x ") + std::string(problem.algorithm->sizes[k].name) + " " +
            std::to_string(problem.shape[k]);
  return text + padding_text(problem);
}

std::string padding_text(const Problem& problem) {
  if (problem.row_padding == 0) return "";
  return ", row padding " + std::to_string(problem.row_padding);
}

std::string problem_text(const Problem& problem, const Results& results) {
  const Problem whole{&problem.algorithm->of_all(), problem.shape, problem.type};
  std::string text = problem_name(problem) + ", " + bytes_text(working_set(whole));
  if (!results.stop.cold_cache && may_stay_in_cache(problem, *results.device))
    text += " (less than four times the last-level cache, which may serve it)";
  return text;
}

void print_machine(std::ostream& out, const Device& device) {
  std::vector<std::string> build{version_text(), "Kokkos " + kokkos_version(),
                                 kernel_build.compiler + " " + kernel_build.flags};
  if (!device.on_host) build.push_back("nvcc " + build_nvcc());
  print_pieces(out, "build", build, ", ");
  print_pieces(out, "CPU",
               {cpu_name(), "last-level cache " + size_or_unknown(host_last_level_cache())}, ", ");
  print_pieces(out, "device",
               {device.description, bytes_text(static_cast<double>(device.memory_bytes)) + " free"},
               ", ");
  std::vector<std::string> facts;
  for (const auto& [name, value] : device.facts)
    facts.push_back(name + " " + value);
  if (!facts.empty()) print_pieces(out, "", facts, ", ");
  if (!device.ranks.empty())
    print_pieces(out, "ranks", {std::to_string(device.ranks.size()), device.mpi}, ", ");
  for (std::size_t rank = 0; rank < device.ranks.size(); ++rank)
    out << "         " << rank << " on " << device.ranks[rank] << '\n';
  if (device.on_host && !threads_are_bound())
    out << "         threads are not bound to cores:\n"
           "         set OMP_PROC_BIND=spread OMP_PLACES=threads\n";
}

void print_ceilings(std::ostream& out, const Ceilings& c) {
  std::vector<std::string> pieces{
      number("read %.1f, ", c.read / 1e9) + number("write %.1f, ", c.write / 1e9) +
          number("copy %.1f GB/s", c.copy / 1e9),
      number("f32 %.0f, ", c.flops_f32 / 1e9) + number("f64 %.0f GFLOP/s", c.flops_f64 / 1e9)};
  if (c.has_link())
    pieces.push_back(number("link in %.1f, ", c.link_in / 1e9) +
                     number("out %.1f GB/s", c.link_out / 1e9));
  if (c.exchange > 0) pieces.push_back(number("exchange %.2f GB/s a rank", c.exchange / 1e9));
  if (c.has_scattered())
    pieces.push_back(number("scattered: 64 bytes read at %.0f, ", c.scattered_read / 1e9) +
                     number("32 updated at %.0f GB/s", c.scattered_update / 1e9));
  pieces.push_back(
      number("empty kernel %.1f us", c.launch * 1e6) +
      (c.host_launch == c.launch ? "" : number(", launched in %.1f us", c.host_launch * 1e6)));
  print_pieces(out, "ceilings", pieces, "; ");
  if (!c.kept_in.empty())
    print_pieces(out, "", {"measured " + c.measured, "kept in " + c.kept_in}, ", ");
}

bool takes_colour(int stream) {
  const char* no_color = std::getenv("NO_COLOR"); // https://no-color.org
  return isatty(stream) != 0 && (no_color == nullptr || *no_color == '\0');
}

std::size_t columns_on(int stream) {
  winsize size{};
  if (ioctl(stream, TIOCGWINSZ, &size) != 0) return screen_columns;
  return std::max<std::size_t>(size.ws_col, screen_columns);
}

std::vector<Listed> listed_variants(const Options& options, const Device& device) {
  std::vector<Listed> all;
  for (const Algorithm& algorithm : algorithms()) {
    const std::vector<const Variant*> chosen = selected_variants(options, algorithm, device);
    const auto& names = options.algorithms;
    const bool asked =
        names.empty() || std::find(names.begin(), names.end(), algorithm.name) != names.end();
    if (asked && !chosen.empty()) all.push_back({&algorithm, ladder_of(algorithm, chosen)});
  }
  return all;
}

void print_list(std::ostream& out, const Options& options, const Device& device) {
  const std::vector<Listed> all = listed_variants(options, device);
  for (const auto& [algorithm, chosen] : all) {
    print_wrapped(out, std::string(algorithm->name) + ": " + std::string(algorithm->formula));
    TextTable table({{"  variant"}, {"model"}, {"backend"}, {"what it is"}});
    for (const Variant* v : chosen) {
      std::string what(v->summary);
      if (const KernelLines* const lines = kernel_lines(*v))
        what += " (" + std::to_string(lines->all) + " lines, " + lines->share_text() +
                " for one backend)";
      table.add({"  " + std::string(v->name), std::string(name_of(v->model)),
                 std::string(v->backend), what});
    }
    table.print(out);
    out << '\n';
  }
  if (all.empty()) out << "nothing is selected; --list alone shows all\n\n";
  out << "backends";
  for (const std::string& name : backend_names())
    out << ' ' << name;
  out << '\n';
  print_machine(out, device);
}

} // namespace ado::bench
