// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Before anything is sent, the ranks find out whether all of them can go on, and mean the same.
#pragma once

#include <ado/distributed/blocks.hpp>
#include <ado/distributed/comm.hpp>
#include <ado/host/fingerprint.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace ado::distributed::detail {

/// What has to be the same on all ranks, with a name for the message.
struct Term {
  const char* name;
  std::uint64_t value;
};

inline constexpr std::size_t most_terms = 8;
using Record =
    std::array<std::uint64_t, most_terms + 2>; // does it fit, what is called, and the terms

/// Numbers that differ where the texts, or the places where blocks begin, do.
inline std::uint64_t number_of(std::string_view text) { return ado::detail::fingerprint(text); }
inline std::uint64_t number_of(const Blocks& blocks) {
  std::string text;
  for (int part = 0; part < blocks.parts(); ++part)
    text += std::to_string(blocks.first(part)) + ' ';
  return number_of(text);
}

/// What is wrong where there is not one block for each rank; else empty.
inline std::string cut_problem(const Comm& comm, const char* name, const Blocks& blocks) {
  if (blocks.parts() == comm.size()) return "";
  return std::string(name) + " has " + std::to_string(blocks.parts()) + " blocks for " +
         std::to_string(comm.size()) + " ranks; there must be one for each";
}

/// The text of rank `from`, on all ranks.
inline std::string text_of(const Comm& comm, int from, std::string text) {
  int length = static_cast<int>(text.size());
  check_mpi(MPI_Bcast(&length, 1, MPI_INT, from, comm.mpi()), "MPI_Bcast");
  text.resize(length);
  check_mpi(MPI_Bcast(text.data(), length, MPI_CHAR, from, comm.mpi()), "MPI_Bcast");
  return text;
}

/// The rank whose value in `place` differs from most others', or -1. Of two ranks it is the second.
inline int odd_one(const std::vector<Record>& records, std::size_t place) {
  const auto count = [&](const Record& one) {
    int alike = 0;
    for (const Record& other : records)
      alike += one[place] == other[place] ? 1 : 0;
    return alike;
  };
  int odd = -1, fewest = static_cast<int>(records.size());
  for (int rank = 0; rank < static_cast<int>(records.size()); ++rank) {
    const int alike = count(records[rank]);
    if (alike < static_cast<int>(records.size()) && alike <= fewest) odd = rank, fewest = alike;
  }
  return odd;
}

/// Throws on all ranks alike what is wrong: the problem of a rank, another function, or a term that
/// differs.
template <std::size_t n>
void judge(const Comm& comm, const char* function, const std::array<Term, n>& terms,
           const std::vector<Record>& records, const std::string& problem) {
  const std::string begin = std::string("ado::distributed::") + function + ": rank ";
  for (int rank = 0; rank < comm.size(); ++rank)
    if (records[rank][0] != 0)
      throw InvalidArgument(begin + std::to_string(rank) + ": " + text_of(comm, rank, problem));
  if (const int odd = odd_one(records, 1); odd >= 0)
    throw InvalidArgument(begin + std::to_string(odd) + " calls " + text_of(comm, odd, function) +
                          "; all ranks must call the same functions in the same order");
  std::size_t place = 2;
  for (const Term& term : terms) {
    if (const int odd = odd_one(records, place); odd >= 0) {
      int other = 0; // with more than one opinion there is a rank of another
      while (records[other][place] == records[odd][place])
        ++other;
      throw InvalidArgument(
          begin + std::to_string(odd) + " has " + std::to_string(records[odd][place]) + " for " +
          term.name + ", rank " + std::to_string(other) + " has " +
          std::to_string(records[other][place]) + "; it must be the same on all ranks");
    }
    ++place;
  }
}

/// What every rank tells all others beside its terms: room for what a rank says of its memory.
using Message = std::array<std::uint64_t, 20>;

/// Throws InvalidArgument on all ranks, with one message, where prepare(message) throws or returns
/// what is wrong on any of them, or where they call different functions or differ in a term.
/// Returns what each rank wrote in its message. Cost: one small allgather.
template <class Prepare, std::size_t n>
std::vector<Message> agree_and_tell(const Comm& comm, const char* function,
                                    const std::array<Term, n>& terms, const Prepare& prepare) {
  static_assert(n <= most_terms);
  struct Sent {
    Record record;
    Message message;
  };
  Sent mine{};
  std::string problem;
  try {
    problem = prepare(mine.message);
  } catch (const std::exception& error) {
    problem = error.what();
  }
  mine.record = {problem.empty() ? 0u : 1u, number_of(function)};
  std::size_t place = 2;
  for (const Term& term : terms)
    mine.record[place++] = term.value;
  std::vector<Sent> all(comm.size());
  const int count = static_cast<int>(sizeof(Sent) / sizeof(std::uint64_t));
  check_mpi(MPI_Allgather(&mine, count, MPI_UINT64_T, all.data(), count, MPI_UINT64_T, comm.mpi()),
            "MPI_Allgather");
  std::vector<Record> records;
  std::vector<Message> messages;
  for (const Sent& sent : all) {
    records.push_back(sent.record);
    messages.push_back(sent.message);
  }
  judge(comm, function, terms, records, problem);
  return messages;
}

/// The same where prepare() launches work that wait() waits for: when this throws, nothing of it is
/// under way.
template <class Prepare, class Wait, std::size_t n>
std::vector<Message> agree_beside(const Comm& comm, const char* function,
                                  const std::array<Term, n>& terms, const Prepare& prepare,
                                  const Wait& wait) {
  try {
    return agree_and_tell(comm, function, terms, prepare);
  } catch (...) {
    wait();
    throw;
  }
}

/// One word of each rank's message.
inline std::vector<std::uint64_t> words_of(const std::vector<Message>& messages,
                                           std::size_t which) {
  std::vector<std::uint64_t> words;
  for (const Message& message : messages)
    words.push_back(message[which]);
  return words;
}

/// The same without a message.
template <class Prepare, std::size_t n>
void agree(const Comm& comm, const char* function, const std::array<Term, n>& terms,
           const Prepare& prepare) {
  agree_and_tell(comm, function, terms, [&](Message&) { return prepare(); });
}

} // namespace ado::distributed::detail
