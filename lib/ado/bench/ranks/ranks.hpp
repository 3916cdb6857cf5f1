// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The processes that measure together. Mostly that is one, and then all of this costs nothing; lib/ado/ranks makes
// several of MPI's. The instrument sees no MPI.
#pragma once

#include <ado/bench/device/device.hpp>
#include <ado/core/error.hpp>

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace ado {

/// Another rank failed while this one worked, and has said so already.
class OtherRankFailed : public Error {
public:
  using Error::Error;
};

/// What ranks say to each other. All of them make the same calls in the same order. One process alone needs no
/// other class.
class Ranks {
public:
  virtual ~Ranks() = default;

  int rank() const { return rank_; }
  int size() const { return size_; }
  /// How many share this one's host, itself among them.
  int on_host() const { return on_host_; }
  bool several() const { return size_ > 1; }
  /// Whether this is the one that prints and writes.
  bool is_first() const { return rank_ == 0; }
  /// "rank 2 (node7)"; empty where there is one.
  const std::string& name() const { return name_; }
  /// The MPI library, in a line; empty where there is none.
  const std::string& library() const { return library_; }

  /// What each rank says, on all ranks. Throws OtherRankFailed where one is in tell() instead.
  virtual std::vector<std::string> texts(const std::string& mine) { return {mine}; }
  virtual std::vector<double> numbers(double mine) { return {mine}; }
  /// What went wrong, of each rank, on all; empty: nothing. Those that wait for others in texts() or numbers()
  /// hear of it there.
  virtual std::vector<std::string> tell(const std::string& failure) { return {failure}; }
  /// Returns when all are here.
  virtual void line_up() {}
  /// What variants on ranks are given as Queue::ranks.
  virtual const void* handle() const { return nullptr; }
  /// Hands `bytes` bytes of each rank to take(rank, data, bytes) on the first one, a rank at a time. take throws nothing.
  using Take = std::function<void(int rank, const void* data, std::size_t bytes)>;
  virtual void bring_to_first(const void* mine, std::size_t bytes, const Take& take) {
    take(0, mine, bytes);
  }
  /// Gives back what is Kokkos', before that ends.
  virtual void release() {}
  /// Bytes a second that leave a rank while each sends as much to every other one, from memory of the device to
  /// memory of the device, in pieces as large as can be; 0 where there is one rank.
  virtual double exchange_bandwidth(Device&) { return 0; }

  /// Where each rank measures: its host and device. Set by introduce(), which all call once.
  const std::vector<std::string>& places() const { return places_; }
  void introduce(const std::string& place) { places_ = texts(place); }

  /// From now on this rank ends all where it has not come to the next talk with the others after so many seconds.
  virtual void watch([[maybe_unused]] double seconds) {}

  double largest(double mine);
  double least(double mine) { return -largest(-mine); }
  /// Whether one says so.
  bool any(bool mine) { return several() ? largest(mine ? 1 : 0) > 0 : mine; }
  /// What went wrong, on all ranks that of the first one where something did, which is named unless all say the same.
  std::string any_failure(const std::string& failure);

protected:
  int rank_ = 0, size_ = 1, on_host_ = 1;
  std::string name_, library_;

private:
  std::vector<std::string> places_;
};

/// Those of this program.
Ranks& ranks();

/// Joins those that were started together, before Kokkos is initialized. Throws UsageError where they are several and
/// this build has no MPI.
void start_ranks();
/// Leaves them; the last that a rank does.
void end_ranks();
/// Ends all of them, because this one cannot go on.
[[noreturn]] void end_all_ranks(int status);

/// What lib/ado/ranks makes of MPI, where it is linked: empty where no others were started.
struct RankLibrary {
  std::unique_ptr<Ranks> (*start)();
  void (*end)();
  void (*abort)(int status);
};
struct RankLibraryRegistration {
  explicit RankLibraryRegistration(const RankLibrary& library);
};

/// interrupted() of any rank, on all.
int interrupted_anywhere();

/// Output of ranks that do not print goes nowhere, while this lives.
class Silence {
public:
  Silence();
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;
  ~Silence();

private:
  std::streambuf *out_ = nullptr, *err_ = nullptr;
};

namespace ranks_detail {
/// Throws on all ranks where `error` is set on one, the error of the first of them.
void share(const std::exception_ptr& error);
} // namespace ranks_detail

/// Calls `work`, which talks to no other rank, on all of them. Where it throws on any, all throw: the same kind of
/// error, with the rank's name where not all say the same.
template <class Work>
auto together(const Work& work) -> decltype(work()) {
  if (!ranks().several()) return work();
  std::exception_ptr error;
  if constexpr (std::is_void_v<decltype(work())>) {
    try {
      work();
    } catch (...) {
      error = std::current_exception();
    }
    ranks_detail::share(error);
  } else {
    std::optional<decltype(work())> result;
    try {
      result.emplace(work());
    } catch (...) {
      error = std::current_exception();
    }
    ranks_detail::share(error);
    return std::move(*result);
  }
}

/// Throws UsageError on all ranks where not all say the same; `what` they differ in.
void check_alike(const std::string& what, const std::string& mine);

/// Whether an error was thrown by together(), so that all ranks have it.
bool is_shared(const std::exception& error);

} // namespace ado
