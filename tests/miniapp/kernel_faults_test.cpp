// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that fault or never end: the row says so, and the run continues in the same process.
#include "program.hpp"

#include <nlohmann/json.hpp>
#include <signal.h>
#include <unistd.h>

#include <algorithm>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ADO_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ADO_SANITIZED 1
#endif
#endif

namespace ado::bench {
namespace {

using Json = nlohmann::json;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
    ++times;
  return times;
}

class MiniappKernelFaults : public MiniappRun {
protected:
  void SetUp() override {
#ifdef ADO_SANITIZED
    GTEST_SKIP() << "a sanitizer explains faults itself, and the program does not go on";
#endif
    MiniappRun::SetUp();
  }
  Outcome faulting(const std::string& options, const Surroundings& surroundings = {}) const {
    return run_program(ADO_BROKEN_MINIAPP,
                       words("--algorithm yax --type f64 --rows 41 --cols 67 --reps 3 --backend " +
                             host_backend() + " " + options),
                       surroundings);
  }
  std::size_t journal_lines() const { return count(contents(path("r.json.partial")), "\n"); }
  /// Sends SIGTERM a second after the journal has its first row, when the next row hangs.
  Outcome ended_while_it_hangs(const std::string& options) const {
    return faulting(options, {.meanwhile = [&](pid_t program) {
                      while (journal_lines() < 2 && kill(program, 0) == 0)
                        usleep(500);
                      sleep(1);
                      kill(program, SIGTERM);
                    }});
  }
};

/// What is said about a variant's fault.
struct Told {
  std::string variant, why;
};
const std::vector<Told> told{{"segmentation_fault", "segmentation fault (SIGSEGV)"},
                             {"in_a_thread", "segmentation fault (SIGSEGV)"},
                             {"stack_overflow", "segmentation fault (SIGSEGV)"},
                             {"stack_of_a_thread", "segmentation fault (SIGSEGV)"},
                             {"division", "division by zero (SIGFPE)"},
                             {"abort", "abort (SIGABRT)"},
                             {"bus_error", "bus error (SIGBUS)"},
                             {"illegal_instruction", "illegal instruction (SIGILL)"},
                             {"of_kokkos", "abort (SIGABRT): View bounds error of view a"},
                             {"exception", "exception: thrown by a thread"}};

std::string all_that_fault() {
  std::string names = "team";
  for (const Told& fault : told)
    names += "," + fault.variant;
  return names;
}

void expect_told(const Outcome& outcome, const Json& record) {
  EXPECT_EQ(outcome.status, 7) << outcome;
  EXPECT_EQ(count(outcome.out, "ceilings read"), 1u) << outcome;
  EXPECT_EQ(count(outcome.out, "portable   native"), 1u) << outcome;
  EXPECT_NE(outcome.out.find("results verified"), std::string::npos) << outcome;
  for (const auto& [variant, why] : told) {
    SCOPED_TRACE(variant);
    const std::string text = "crashed: " + why + " in kokkos/" + variant;
    EXPECT_EQ(count(outcome.out, "portable: " + text + "\n"), 1u) << outcome;
    EXPECT_EQ(count(outcome.out, "\n" + variant + " "), 1u) << outcome;
    const auto is_it = [&name = variant](const Json& entry) {
      return entry.at("variant") == name && entry.at("model") == "kokkos";
    };
    const Json& entries = record.at("benchmarks");
    ASSERT_EQ(std::count_if(entries.begin(), entries.end(), is_it), 1);
    const Json& entry = *std::find_if(entries.begin(), entries.end(), is_it);
    EXPECT_EQ(entry.at("error_message"), text);
    EXPECT_EQ(entry.at("verified"), false);
  }
  for (const Json& entry : record.at("benchmarks"))
    EXPECT_TRUE(entry.at("model") == "kokkos" || entry.at("verified") == true) << entry;
}

TEST_F(MiniappKernelFaults, EachCostsItsRowAlone) {
  const Outcome outcome = faulting("--variant " + all_that_fault() + " --json " + path("r.json"));
  const Json record = Json::parse(contents(path("r.json")));
  expect_told(outcome, record);
  EXPECT_EQ(outcome.err, "a word of the kernel\n") << "no backtrace";
  EXPECT_EQ(files(), 1u);
}

TEST_F(MiniappKernelFaults, ALaterRunThatFaultsIsNoOther) {
  const Outcome outcome = faulting("--variant " + all_that_fault() + " --json " + path("r.json"),
                                   {.environment = {"ADO_FAULT_AT=5"}});
  expect_told(outcome, Json::parse(contents(path("r.json"))));
}

/// No file keeps the rows, and threads are bound, so only part of the machine could be inherited.
TEST_F(MiniappKernelFaults, TheRunIsAsItWas) {
  const Outcome outcome =
      faulting("--variant segmentation_fault,in_a_thread,team --csv " + path("r.csv"),
               {.environment = {"OMP_PROC_BIND=spread"}});
  EXPECT_EQ(outcome.status, 7) << outcome;
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(files(), 1u) << "no journal is left";
  const std::string table = contents(path("r.csv")), line = "\ndevice   ";
  const std::size_t device = outcome.out.find(line) + line.size();
  const std::string threads =
      outcome.out.substr(device, outcome.out.find(" thread", device) - device);
  EXPECT_EQ(count(table, threads + " thread"), count(table, "\n") - 1) << threads << '\n' << table;
  const Outcome unbroken = faulting("--variant segmentation_fault,in_a_thread,team",
                                    {.environment = {"ADO_FAULT_AT=1000000"}});
  EXPECT_EQ(unbroken.status, 0) << unbroken;
  EXPECT_EQ(count(outcome.out, "\n"), count(unbroken.out, "\n") + 3)
      << "a line more a fault, and one that some failed" << outcome << unbroken;
}

TEST_F(MiniappKernelFaults, OneThatNeverEndsCostsItsRowAlone) {
  const Outcome outcome =
      faulting("--variant endless,team --kernel-timeout 1 --json " + path("r.json"));
  EXPECT_EQ(outcome.status, 7) << outcome;
  const std::string text = "kokkos/endless did not end within 1 s (--kernel-timeout)";
  EXPECT_EQ(count(outcome.out, "portable: " + text + "\n"), 1u) << outcome;
  EXPECT_EQ(count(outcome.out, ", endless: " + text + "\n"), 1u) << "named once" << outcome;
  EXPECT_EQ(outcome.err, "");
  const Json record = Json::parse(contents(path("r.json")));
  for (const Json& entry : record.at("benchmarks")) {
    const bool hung = entry.at("variant") == "endless" && entry.at("model") == "kokkos";
    EXPECT_EQ(entry.at("verified"), !hung) << entry;
    EXPECT_EQ(entry.value("error_message", ""), hung ? text : "");
  }
}

/// Each slice has its own time limit.
TEST_F(MiniappKernelFaults, ASliceThatNeverEndsCostsItsRow) {
  for (const char* at : {"ADO_FAULT_AT=1", "ADO_FAULT_AT=30", "ADO_FAULT_AT=31"}) {
    const Outcome outcome = faulting(
        "--variant endless,team --kernel-timeout 1 --device-memory 15kB", {.environment = {at}});
    EXPECT_EQ(outcome.status, 7) << at << outcome;
    EXPECT_EQ(count(outcome.out, "portable: kokkos/endless did not end within 1 s"), 1u)
        << at << outcome;
  }
}

TEST_F(MiniappKernelFaults, OneSignalEndsARunThatHangs) {
  const std::string run = "--variant team,endless --json " + path("r.json");
  const Outcome ended = ended_while_it_hangs(run + " --skip-verification");
  EXPECT_EQ(ended.status, 128 + SIGTERM) << ended;
  EXPECT_NE(
      ended.err.find("interrupted after 1 of 2 rows; they are kept in " + path("r.json.partial")),
      std::string::npos)
      << ended;
  const Outcome resumed =
      faulting(run + " --skip-verification --resume", {.environment = {"ADO_FAULT_AT=1000000"}});
  EXPECT_EQ(resumed.status, 6) << resumed;
  EXPECT_NE(resumed.err.find("1 of 2 rows measured"), std::string::npos) << resumed;
}

TEST_F(MiniappKernelFaults, ASignalIsNotLostWhereAFaultComesFirst) {
  const Outcome outcome =
      faulting("--variant endless,team --kernel-timeout 2 --json " + path("r.json"),
               {.meanwhile = [&](pid_t program) {
                 while (contents(path("r.json.partial")).empty() && kill(program, 0) == 0)
                   usleep(500);
                 usleep(500000);
                 kill(program, SIGTERM);
               }});
  EXPECT_EQ(outcome.status, 128 + SIGTERM) << outcome;
  EXPECT_NE(outcome.err.find("interrupted after 0 of 2 rows"), std::string::npos) << outcome;
}

TEST_F(MiniappKernelFaults, OnlyVerboseShowsABacktrace) {
  for (const bool verbose : {false, true}) {
    const Outcome outcome = faulting(std::string("--variant of_kokkos,segmentation_fault") +
                                     (verbose ? " --verbose" : ""));
    EXPECT_EQ(outcome.status, 7) << outcome;
    EXPECT_EQ(count(outcome.err, "Backtrace") + count(outcome.err, "Traceback"), verbose ? 1u : 0u)
        << outcome;
    EXPECT_EQ(outcome.err.find("miniapp_broken(") != std::string::npos, verbose) << outcome;
  }
}

TEST_F(MiniappKernelFaults, TheSelftestGoesOnToo) {
  const Outcome outcome =
      run_program(ADO_BROKEN_MINIAPP,
                  words("--selftest --algorithm faulty_copy,yax --backend " + host_backend()));
  EXPECT_EQ(outcome.status, 7) << outcome;
  EXPECT_EQ(count(outcome.out, "into "), 1u) << outcome;
  EXPECT_GE(count(outcome.out, "CRASHED"), 10u) << outcome;
  EXPECT_NE(
      outcome.out.find(
          "faulty_copy, unwritten: crashed: segmentation fault (SIGSEGV) in kokkos/unwritten"),
      std::string::npos)
      << outcome;
  EXPECT_EQ(count(outcome.out, "NOT CAUGHT"), 0u) << outcome;
}

/// A debugger or profiler must see the fault, and nothing takes the process away from it.
TEST_F(MiniappKernelFaults, UnderADebuggerOrAProfilerTheRunEndsWithTheFault) {
  const std::string run = " --algorithm yax --rows 41 --cols 67 --reps 3 --backend " +
                          host_backend() + " --variant segmentation_fault";
  const auto ends = [](const Outcome& outcome, const std::string& who) {
    EXPECT_EQ(outcome.status, 128 + SIGSEGV) << outcome;
    EXPECT_NE(outcome.err.find("miniapp_broken: crashed: segmentation fault (SIGSEGV) in "
                               "kokkos/segmentation_fault, row yax/rows:41/cols:67/"),
              std::string::npos)
        << outcome;
    EXPECT_NE(outcome.err.find("; the run ends here, for " + who), std::string::npos) << outcome;
  };
  ends(run_program(ADO_BROKEN_MINIAPP, words(run), {.environment = {"CUDA_INJECTION64_PATH=none"}}),
       "a profiler or a sanitizer is loaded");
  if (run_program("/bin/sh", {"-c", "strace -o /dev/null true"}).status != 0)
    GTEST_SKIP() << "strace is not installed, or may not trace";
  ends(run_program("/bin/sh", {"-c", "exec strace -f -o /dev/null " ADO_BROKEN_MINIAPP + run}),
       "a debugger is attached");
}

TEST_F(MiniappKernelFaults, ATimeThatWouldEndRightRunsIsRefused) {
  expect_refused("--kernel-timeout 0.01", {"--kernel-timeout 0.01", "give more"});
}

} // namespace
} // namespace ado::bench
