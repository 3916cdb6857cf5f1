// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What profilers see of the mini-app: regions and labels, through a Kokkos tool.
#include "csv_reader.hpp"
#include "program.hpp"
#include <ado/host/openblas.hpp>
#include <ado/registry/registry.hpp>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <stdlib.h>
#include <unistd.h>

#include <map>
#include <set>

namespace ado::bench {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class MiniappTools : public MiniappRun {
protected:
  Outcome miniapp_with_tool(const std::string& command_line) const {
    return miniapp(command_line + " --backend " + host_backend(),
                   {.environment = {"KOKKOS_TOOLS_LIBS=" ADO_KOKKOS_TOOL,
                                    "ADO_TOOL_OUTPUT=" + path("tool.txt")}});
  }
  /// The kernel labels in each outermost region of a whole run.
  std::map<std::string, std::set<std::string>> kernels_by_region() const {
    std::map<std::string, std::set<std::string>> kernels;
    std::istringstream lines(contents(path("tool.txt")));
    std::vector<std::string> open; // public functions' regions lie inside those of variants
    for (std::string line; std::getline(lines, line);) {
      const std::string name = line.substr(line.find(' ') + 1);
      if (line.rfind("begin ", 0) == 0)
        open.push_back(name);
      else if (line.rfind("end", 0) == 0)
        open.pop_back();
      if (open.empty()) continue;
      auto& labels = kernels[open.front()];
      if (line.rfind("kernel ", 0) == 0) labels.insert(name);
    }
    EXPECT_TRUE(open.empty()) << "a region does not end";
    return kernels;
  }
};

const std::string small = "--algorithm all --sets 5 --length 7 --vectors 11 --rows 41 --cols 67 "
                          "--elements 1001 --chunks 3 --chunk-elements 1001 --work-per-element 2 "
                          "--type f32 --reps 1 --warmup 0 ";

TEST_F(MiniappTools, EveryVariantIsARegionOfShortLabelsThatNameTheAlgorithm) {
  const std::string backend = host_backend();
  const Outcome outcome = miniapp_with_tool(small);
  ASSERT_EQ(outcome.status, 0) << outcome;
  const auto kernels = kernels_by_region();
  for (const Variant& v : variants()) {
    if (v.backend != backend && v.backend != "host") continue;
    SCOPED_TRACE(std::string(v.algorithm) + " " + std::string(v.name));
    const std::string region = "ado::" + std::string(v.algorithm) + "[" + std::string(v.name) + "]";
    ASSERT_EQ(kernels.count(region), 1u);
    EXPECT_LT(region.size(), 40u);
    if (v.model != Model::kokkos) continue;
    EXPECT_FALSE(kernels.at(region).empty()) << "no kernel";
    for (const std::string& label : kernels.at(region)) {
      const bool ours = label.rfind("ado::" + std::string(v.algorithm), 0) == 0;
      const bool of_the_averaging =
          v.algorithm == "average_mv" && label.rfind("ado::average", 0) == 0;
      const bool of_a_deep_copy = label.rfind("Kokkos::View", 0) == 0;
      EXPECT_TRUE(ours || of_the_averaging || of_a_deep_copy) << label;
      EXPECT_LT(label.size(), 40u) << label;
    }
  }
}

TEST_F(MiniappTools, TimesWithAToolAreMarkedOnTheScreenAndInTheRecords) {
  const std::string run = "--algorithm yax --variant team --rows 41 --cols 67 --reps 3 ";
  const std::string words = "times include a Kokkos tool";
  const Outcome outcome = miniapp_with_tool(run + "--json " + path("r.json") + " --csv " +
                                            path("r.csv") + " --markdown " + path("r.md"));
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_TRUE(contains(outcome.out, "\n" + words)) << outcome.out;
  EXPECT_TRUE(contains(contents(path("r.json")), "\"kokkos_tool\": true"));
  for (const auto& line : ado::bench::csv_entries(contents(path("r.csv"))))
    EXPECT_EQ(line.at("kokkos_tool"), "true");
  EXPECT_TRUE(contains(contents(path("r.md")), "\n**" + words)) << contents(path("r.md"));

  const Outcome by_option = miniapp(run + "--kokkos-tools-libs=" ADO_KOKKOS_TOOL,
                                    {.environment = {"ADO_TOOL_OUTPUT=" + path("tool.txt")}});
  EXPECT_TRUE(contains(by_option.out, "\n" + words)) << by_option;
  const Outcome without = miniapp(run + "--json -");
  EXPECT_FALSE(contains(without.err, words)) << without;
  EXPECT_FALSE(contains(without.out, "\"kokkos_tool\": true")) << without;
}

/// From the entries of a record: the library that each variant calls, if it names one.
std::map<std::string, std::string> libraries_in(const std::string& record) {
  std::map<std::string, std::string> called;
  const auto whole = nlohmann::json::parse(record);
  for (const auto& entry : whole.at("benchmarks"))
    if (entry.contains("library"))
      called[entry.at("algorithm").get<std::string>() + " " +
             entry.at("model").get<std::string>()] = entry.at("library");
  return called;
}

TEST_F(MiniappTools, OpenBlasThatTakesKernelsForAnotherCpuIsNamedWithTheMend) {
  std::set<std::string> callers;
  std::string names; // those in this build
  for (const Variant& v : variants()) {
    const bool calls_blas = v.file.find("/openblas/") != std::string_view::npos ||
                            (v.model == Model::kokkos_kernels && v.backend == host_backend());
    EXPECT_TRUE(!calls_blas || v.library != nullptr) << v.algorithm << " " << v.name;
    if (v.library != nullptr && !v.library().text.empty()) {
      callers.insert(std::string(v.algorithm) + " " + std::string(name_of(v.model)));
      names += (names.empty() ? "" : ",") + std::string(v.name);
    }
  }
  if (callers.empty()) GTEST_SKIP() << "this build calls no library on the CPU";
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "the CPU has no AVX2";
  if (std::string(openblas_get_config()).find("DYNAMIC_ARCH") == std::string::npos)
    GTEST_SKIP() << "this OpenBLAS has kernels for one CPU alone";
#else
  GTEST_SKIP() << "the CPU is no x86, whose kernels it names";
#endif
  const auto run = [&](const std::string& core) {
    return miniapp(small + "--variant " + names + " --backend " + host_backend() + " --json " +
                       path(core + ".json"),
                   {.environment = {"OPENBLAS_CORETYPE=" + core}});
  };
  const Outcome old = run("Prescott"), now = run("Haswell");
  EXPECT_TRUE(contains(old.out, "\nOpenBLAS runs kernels for Prescott, which lack this CPU's "
                                "AVX2: set\n"
                                "OPENBLAS_CORETYPE="))
      << old;
  EXPECT_FALSE(contains(now.out, "OpenBLAS runs")) << now;
  for (const std::string core : {"Prescott", "Haswell"}) {
    const std::string record = contents(path(core + ".json"));
    EXPECT_TRUE(contains(record, "\"OPENBLAS_CORETYPE\": \"" + core + "\"")) << record;
    const auto called = libraries_in(record);
    EXPECT_EQ(called.size(), callers.size());
    for (const auto& [caller, library] : called) {
      EXPECT_EQ(callers.count(caller), 1u) << caller;
      EXPECT_TRUE(contains(library, ", kernels for " + core)) << caller << ": " << library;
    }
  }
}

/// A terminal that nobody watches, and what was printed there.
class Terminal {
public:
  Terminal() : master_(posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK)) {
    if (master_ < 0 || grantpt(master_) != 0 || unlockpt(master_) != 0) return;
    const char* name = ptsname(master_);
    if (name != nullptr && access(name, W_OK) == 0) path_ = name;
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() { close(master_); }
  /// Empty if none is available.
  const std::string& path() const { return path_; }
  std::string text() const {
    std::string text;
    char some[256];
    for (ssize_t got; (got = ::read(master_, some, sizeof some)) > 0;)
      text.append(some, static_cast<std::size_t>(got));
    return text;
  }

private:
  int master_;
  std::string path_;
};

TEST_F(MiniappTools, ATerminalShowsTheRowThatRunsAndNothingInTheEnd) {
  const Terminal terminal;
  if (terminal.path().empty()) GTEST_SKIP() << "no terminal can be opened: is /dev/pts mounted?";
  const Outcome outcome = miniapp("--algorithm yax --variant team,row_per_thread --model kokkos "
                                  "--rows 41 --cols 67 --reps 3",
                                  {.stderr_path = terminal.path()});
  EXPECT_EQ(outcome.status, 0) << outcome;
  const std::string clear = "\r\033[K", text = terminal.text();
  EXPECT_TRUE(contains(text, "[1/2] yax row_per_thread" + clear + "[2/2] yax team, about "))
      << text;
  EXPECT_TRUE(text.ends_with(" left" + clear)) << text;
}

} // namespace
} // namespace ado::bench
