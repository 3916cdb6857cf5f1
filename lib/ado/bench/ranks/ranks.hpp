// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The processes that measure together. Usually there is one, and all of this costs nothing;
// lib/ado/ranks makes several with MPI. The instrument sees no MPI.
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

namespace ado::bench {

/// Another rank failed meanwhile and has already said so.
class OtherRankFailed : public Error {
public:
  using Error::Error;
};

/// How ranks talk. All make the same calls in the same order. A single process needs no other
/// class.
class Ranks {
public:
  virtual ~Ranks() = default;

  int rank() const { return rank_; }
  int size() const { return size_; }
  /// How many ranks share this one's host, itself included.
  int on_host() const { return on_host_; }
  bool several() const { return size_ > 1; }
  /// Whether this rank prints and writes.
  bool is_first() const { return rank_ == 0; }
  /// "rank 2 (node7)"; empty for a single rank.
  const std::string& name() const { return name_; }
  /// The MPI library, in one line; empty: none.
  const std::string& library() const { return library_; }

  /// What each rank says, on all ranks. Throws OtherRankFailed if one calls tell() instead.
  virtual std::vector<std::string> texts(const std::string& mine) { return {mine}; }
  virtual std::vector<double> numbers(double mine) { return {mine}; }
  /// What went wrong on each rank, on all ranks; empty: nothing. Ranks waiting in texts() or
  /// numbers() hear of it there.
  virtual std::vector<std::string> tell(const std::string& failure) { return {failure}; }
  /// Returns when all ranks are here.
  virtual void line_up() {}
  /// What variants on ranks get as Queue::ranks.
  virtual const void* handle() const { return nullptr; }
  /// Hands `bytes` bytes of each rank to take(rank, data, bytes) on the first one, one rank at a
  /// time. `take` must not throw.
  using Take = std::function<void(int rank, const void* data, std::size_t bytes)>;
  virtual void bring_to_first(const void* mine, std::size_t bytes, const Take& take) {
    take(0, mine, bytes);
  }
  /// Frees what belongs to Kokkos, before Kokkos ends.
  virtual void release() {}
  /// Bytes per second that leave a rank while each sends as much to every other one, from device
  /// memory to device memory, in pieces as large as possible; 0: only one rank.
  virtual double exchange_bandwidth(Device&) { return 0; }

  /// From now on this rank ends all ranks if it stays away from the others for that many seconds.
  virtual void watch([[maybe_unused]] double seconds) {}

  double largest(double mine);
  double least(double mine) { return -largest(-mine); }
  /// Whether any rank says so.
  bool any(bool mine) { return several() ? largest(mine ? 1 : 0) > 0 : mine; }
  /// The first rank's failure, on all ranks; it names the rank unless all say the same.
  std::string any_failure(const std::string& failure);

protected:
  int rank_ = 0, size_ = 1, on_host_ = 1;
  std::string name_, library_;
};

/// The ranks of this program.
Ranks& ranks();

/// Joins the processes that were started together, before Kokkos is initialized. Throws UsageError
/// if they are several and this build has no MPI.
void start_ranks();
/// Leaves them; a rank's last call.
void end_ranks();
/// Ends all ranks because this one cannot go on.
[[noreturn]] void end_all_ranks(int status);

/// What lib/ado/ranks makes of MPI, if linked; empty if no other ranks were started.
struct RankLibrary {
  std::unique_ptr<Ranks> (*start)();
  void (*end)();
  void (*abort)(int status);
};
struct RankLibraryRegistration {
  explicit RankLibraryRegistration(const RankLibrary& library);
};

/// interrupted() of any rank, on all ranks.
int interrupted_anywhere();

/// While it lives, output of ranks that do not print is dropped.
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
/// Throws on all ranks if `error` is set on any: the first rank's.
void share(const std::exception_ptr& error);
} // namespace ranks_detail

/// Calls `work`, which must not talk to other ranks, on all of them. If it throws on any, all throw
/// the same kind of error, with the rank's name unless all say the same.
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

/// Throws UsageError on all ranks unless all say the same; `what` is what they differ in.
void check_alike(const std::string& what, const std::string& mine);

/// Whether together() threw the error, so that all ranks have it.
bool is_shared(const std::exception& error);

} // namespace ado::bench
