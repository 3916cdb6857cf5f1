// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/io/exit_status.hpp>
#include <ado/bench/io/files.hpp>
#include <ado/bench/io/interrupt.hpp>
#include <ado/bench/ranks/ranks.hpp>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <streambuf>

namespace ado::bench {
namespace {

std::unique_ptr<Ranks>& current() {
  static std::unique_ptr<Ranks> ranks = std::make_unique<Ranks>();
  return ranks;
}
RankLibrary& library() {
  static RankLibrary library{};
  return library;
}

/// The number of processes according to an MPI launcher; 1 if it says nothing.
long started_together() {
  long most = 1;
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_SIZE", "MV2_COMM_WORLD_SIZE",
                           "SLURM_STEP_NUM_TASKS"})
    if (const char* value = std::getenv(name))
      most = std::max(most, std::strtol(value, nullptr, 10));
  return most;
}

/// A kind of error; a letter at the start of a shared text stands for it.
template <class E>
[[noreturn]] void rethrow(const std::string& text) {
  throw E(text);
}
struct Kind {
  char letter;
  void (*rethrow)(const std::string&);
};
constexpr Kind kinds[] = {{'u', rethrow<UsageError>},
                          {'i', rethrow<InputError>},
                          {'a', rethrow<InvalidArgument>},
                          {'e', rethrow<Error>}};

std::string text_of(const std::exception_ptr& error) {
  if (!error) return "";
  try {
    std::rethrow_exception(error);
  } catch (const UsageError& e) {
    return std::string("u") + e.what();
  } catch (const InputError& e) {
    return std::string("i") + e.what();
  } catch (const InvalidArgument& e) {
    return std::string("a") + e.what();
  } catch (const std::exception& e) {
    return std::string("e") + e.what();
  }
}

/// The first rank that says something; -1: none does.
int first_that_speaks(const std::vector<std::string>& texts) {
  for (std::size_t rank = 0; rank < texts.size(); ++rank)
    if (!texts[rank].empty()) return static_cast<int>(rank);
  return -1;
}

/// A rank's text from `first` on, with the rank's name unless all say the same.
std::string named(const std::vector<std::string>& texts, int rank, std::size_t first) {
  const std::string& text = texts[static_cast<std::size_t>(rank)];
  const bool alike =
      std::all_of(texts.begin(), texts.end(), [&](const std::string& t) { return t == text; });
  return (alike ? "" : "rank " + std::to_string(rank) + ": ") + text.substr(first);
}

std::string shared_message; ///< of the error that all ranks have

class Nowhere : public std::streambuf {
  int overflow(int c) override { return c == traits_type::eof() ? 0 : c; }
} nowhere;

} // namespace

Ranks& ranks() { return *current(); }

RankLibraryRegistration::RankLibraryRegistration(const RankLibrary& of_mpi) { library() = of_mpi; }

void start_ranks() {
  const long count = started_together();
  if (count == 1) return;
  if (library().start == nullptr)
    throw UsageError("started " + std::to_string(count) +
                     " times, as by mpirun, but this build has no MPI, so each would measure and "
                     "write the same; "
                     "start it once, or install MPI and configure again (docs/scale.md)");
  if (auto several = library().start()) current() = std::move(several);
}

void end_ranks() {
  if (ranks().several()) library().end();
  current() = std::make_unique<Ranks>();
}

void end_all_ranks(int status) {
  if (library().abort != nullptr && ranks().several()) library().abort(status);
  std::_Exit(status);
}

double Ranks::largest(double mine) {
  const std::vector<double> all = numbers(mine);
  return *std::max_element(all.begin(), all.end());
}

std::string Ranks::any_failure(const std::string& failure) {
  if (!several()) return failure;
  const std::vector<std::string> all = tell(failure);
  const int speaks = first_that_speaks(all);
  return speaks < 0 ? "" : named(all, speaks, 0);
}

int interrupted_anywhere() {
  if (!ranks().several()) return interrupted();
  const int signal = static_cast<int>(ranks().largest(interrupted()));
  if (signal != 0) note_interrupt(signal);
  return signal;
}

Silence::Silence() {
  if (ranks().is_first()) return;
  out_ = std::cout.rdbuf(&nowhere);
  err_ = std::cerr.rdbuf(&nowhere);
}
Silence::~Silence() {
  if (out_ == nullptr) return;
  std::cout.rdbuf(out_);
  std::cerr.rdbuf(err_);
}

void ranks_detail::share(const std::exception_ptr& error) {
  const std::vector<std::string> all = ranks().tell(text_of(error));
  const int speaks = first_that_speaks(all);
  if (speaks < 0) return;
  shared_message = named(all, speaks, 1);
  const std::string& text = all[static_cast<std::size_t>(speaks)];
  for (const Kind& kind : kinds)
    if (kind.letter == text.front()) kind.rethrow(shared_message);
  throw Error(shared_message);
}

bool is_shared(const std::exception& error) {
  return !shared_message.empty() && shared_message == error.what();
}

void check_alike(const std::string& what, const std::string& mine) {
  if (!ranks().several()) return;
  const std::vector<std::string> all = ranks().texts(mine);
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank] != all[0]) {
      shared_message = "rank " + std::to_string(rank) + " has another " + what +
                       " than rank 0; all must have one: '" + all[rank] + "' there, '" + all[0] +
                       "' here";
      throw UsageError(shared_message);
    }
}

} // namespace ado::bench
