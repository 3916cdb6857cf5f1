// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The processes that measure together, over MPI.
#include <ado/bench/ranks/ranks.hpp>
#include <ado/bench/run/run_facts.hpp>
#include <ado/distributed/exchange.hpp>
#include <ado/ranks/exchange.hpp>
#include <ado/ranks/mates.hpp>
#include <ado/ranks/mpi.hpp>
#include <ado/ranks/records.hpp>
#include <ado/ranks/watch.hpp>
#include <ado/registry/registry.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>

namespace ado::bench {
namespace {

using distributed::detail::check_mpi;

std::unique_ptr<distributed::Comm> comm; ///< from start_mpi() to end_mpi()
std::unique_ptr<Mates> mates;            ///< likewise

/// What a rank's message is.
enum class Saying : std::uint64_t { text, failure };

/// Tells a Watch while this rank waits for others.
class Talk {
public:
  explicit Talk(std::optional<Watch>& watch) : watch_(watch) {
    mates->come();
    if (watch_) watch_->note(waits_for_others);
  }
  Talk(const Talk&) = delete;
  Talk& operator=(const Talk&) = delete;
  ~Talk() {
    if (watch_) watch_->note("is at work");
  }

private:
  std::optional<Watch>& watch_;
};

class MpiRanks : public Ranks {
public:
  MpiRanks() {
    rank_ = comm->rank();
    size_ = comm->size();
    MPI_Comm host = MPI_COMM_NULL;
    check_mpi(MPI_Comm_split_type(comm->mpi(), MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host),
              "MPI_Comm_split_type");
    MPI_Comm_size(host, &on_host_);
    mates = std::make_unique<Mates>(host, rank_);
    MPI_Comm_free(&host);
    name_ = "rank " + std::to_string(rank_) + " (" + host_name() + ")";
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(text, &length);
    library_ = std::string(text, static_cast<std::size_t>(length));
    library_ = library_.substr(0, library_.find_first_of(",\n"));
    std::replace(library_.begin(), library_.end(), '\t', ' ');
  }

  std::vector<std::string> texts(const std::string& mine) override {
    return say(Saying::text, mine);
  }
  std::vector<double> numbers(double mine) override {
    std::string bytes(sizeof mine, '\0');
    std::memcpy(bytes.data(), &mine, sizeof mine);
    std::vector<double> all;
    for (const std::string& one : say(Saying::text, bytes)) {
      all.emplace_back();
      std::memcpy(&all.back(), one.data(), sizeof(double));
    }
    return all;
  }
  std::vector<std::string> tell(const std::string& failure) override {
    return say(Saying::failure, failure);
  }
  void line_up() override {
    numbers(0); // learns of failures
    const Talk talk(watch_);
    check_mpi(MPI_Barrier(comm->mpi()), "MPI_Barrier");
  }
  void bring_to_first(const void* mine, std::size_t bytes, const Take& take) override;
  const void* handle() const override { return comm.get(); }
  void release() override { comm->release(); }
  double exchange_bandwidth(Device& device) override;
  void watch(double seconds) override {
    watch_.emplace(name_, seconds,
                   [](bool waits, bool& speaks) { return mates->missing(waits, speaks); });
  }
  void forget_mates() {
    if (watch_) watch_->forget_missing();
  }

private:
  using Head = std::array<std::uint64_t, 2>; ///< Saying, length
  std::vector<std::string> say(Saying what, const std::string& mine);

  std::optional<Watch> watch_;
};

/// All texts are sent as one block, after a head from each rank. The heads reveal a rank that is
/// somewhere else before anything is misread.
std::vector<std::string> MpiRanks::say(Saying what, const std::string& mine) {
  const Talk talk(watch_);
  const Head head{static_cast<std::uint64_t>(what), mine.size()};
  std::vector<Head> heads(static_cast<std::size_t>(size_));
  check_mpi(MPI_Allgather(head.data(), 2, MPI_UINT64_T, heads.data(), 2, MPI_UINT64_T, comm->mpi()),
            "MPI_Allgather");
  std::vector<int> lengths, places;
  int total = 0;
  for (const Head& of : heads) {
    lengths.push_back(static_cast<int>(of[1]));
    places.push_back(total);
    total += lengths.back();
  }
  std::string all(static_cast<std::size_t>(total), '\0');
  check_mpi(MPI_Allgatherv(mine.data(), static_cast<int>(mine.size()), MPI_CHAR, all.data(),
                           lengths.data(), places.data(), MPI_CHAR, comm->mpi()),
            "MPI_Allgatherv");
  std::vector<std::string> texts;
  for (std::size_t rank = 0; rank < heads.size(); ++rank)
    texts.push_back(all.substr(static_cast<std::size_t>(places[rank]),
                               static_cast<std::size_t>(lengths[rank])));
  if (what == Saying::text)
    for (std::size_t rank = 0; rank < heads.size(); ++rank)
      if (heads[rank][0] == static_cast<std::uint64_t>(Saying::failure)) {
        if (texts[rank].empty())
          throw Error(name_ + " and rank " + std::to_string(rank) + " are out of step");
        throw OtherRankFailed("rank " + std::to_string(rank) + ": " + texts[rank]);
      }
  return texts;
}

void MpiRanks::bring_to_first(const void* mine, std::size_t bytes, const Take& take) {
  const std::vector<double> sizes = numbers(static_cast<double>(bytes));
  const Talk talk(watch_);
  const auto pieces = [](std::size_t all, const auto& each) {
    constexpr std::size_t most = distributed::detail::most_message_bytes;
    for (std::size_t at = 0; at < all; at += most)
      each(at, static_cast<int>(std::min(most, all - at)));
  };
  constexpr int tag = 3;
  if (!is_first())
    return pieces(bytes, [&](std::size_t at, int count) {
      check_mpi(
          MPI_Send(static_cast<const std::byte*>(mine) + at, count, MPI_BYTE, 0, tag, comm->mpi()),
          "MPI_Send");
    });
  take(0, mine, bytes);
  for (int rank = 1; rank < size_; ++rank) {
    std::vector<std::byte> theirs(static_cast<std::size_t>(sizes[static_cast<std::size_t>(rank)]));
    pieces(theirs.size(), [&](std::size_t at, int count) {
      check_mpi(
          MPI_Recv(theirs.data() + at, count, MPI_BYTE, rank, tag, comm->mpi(), MPI_STATUS_IGNORE),
          "MPI_Recv");
    });
    take(rank, theirs.data(), theirs.size());
  }
}

/// Messages between host buffers, as variants send them there.
std::function<void()> messages(void* memory, std::size_t bytes) {
  std::vector<distributed::detail::Part> to, from;
  const auto size = static_cast<std::size_t>(comm->size());
  for (std::size_t rank = 0; rank < size; ++rank) {
    from.push_back({static_cast<std::byte*>(memory) + bytes * rank, bytes});
    to.push_back({static_cast<std::byte*>(memory) + bytes * size, bytes});
  }
  return [=] {
    distributed::detail::exchange(
        *comm, to, from, [] {}, [](int) {});
  };
}

/// The best of several exchanges, each larger than any cache: copies if GPUs reach each other's
/// memory, otherwise messages.
double MpiRanks::exchange_bandwidth(Device& device) {
  constexpr int runs = 7;
  const std::size_t most = std::size_t{device.on_host ? 64u : 256u} << 20;
  const auto size = static_cast<std::size_t>(size_);
  const std::size_t bytes = std::min(most, device.memory_bytes / 8 / (size + 1));
  DeviceMemory memory = device.allocate((size + 1) * bytes, "ceiling: exchanged");
  device.fill(memory.get(), (size + 1) * bytes, 0);
  device.fence();
  std::function<void()> exchange = copies_to_peers(*comm, device, memory.get(), bytes);
  if (!exchange && !device.on_host) {
    memory = device.allocate_staging((size + 1) * bytes, "ceiling: exchanged");
    std::memset(memory.get(), 0, (size + 1) * bytes);
  }
  if (!exchange) exchange = messages(memory.get(), bytes);
  double least = std::numeric_limits<double>::infinity();
  for (int run = 0; run < runs; ++run) {
    using Clock = std::chrono::steady_clock;
    line_up();
    const Clock::time_point start = Clock::now();
    exchange();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    least = std::min(least, largest(seconds));
  }
  return static_cast<double>(bytes) * (size_ - 1) / least;
}

std::unique_ptr<Ranks> start_mpi() {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  comm = std::make_unique<distributed::Comm>(MPI_COMM_WORLD);
  if (comm->size() > 1) {
    take_rank_records(records_of_ranks());
    return std::make_unique<MpiRanks>();
  }
  throw Error("started by a launcher of several processes, but MPI sees one; is it the mpirun of "
              "another MPI?");
}

void end_mpi() {
  dynamic_cast<MpiRanks&>(ranks()).forget_mates();
  mates.reset();
  comm.reset();
  MPI_Finalize();
}

void abort_mpi(int status) { MPI_Abort(MPI_COMM_WORLD, status); }

const RankLibraryRegistration registered{{start_mpi, end_mpi, abort_mpi}};

} // namespace

const distributed::Comm& comm_of_ranks() { return *comm; }

} // namespace ado::bench
