// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows of a run that are finished, each on disk as soon as it is: an interrupted run goes on from
// there. A line of JSON each, under one that says which run it is.
#pragma once

#include <ado/bench/io/files.hpp>
#include <ado/bench/run/journal_row.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ado {

/// What all processes that measure one run have in common: name, value.
using RunIdentity = std::vector<std::pair<std::string, std::string>>;

class Journal {
public:
  /// Opens the file, or creates it, for this process alone. Throws InputError where it holds rows
  /// and `resume` is not set, where they are of another run, or where it is no journal. A line that
  /// was cut off is dropped.
  Journal(std::string path, bool resume, const RunIdentity& identity);
  /// Of another rank, which has the file: what that one read, `text`. Writes nothing.
  Journal(std::string path, const std::string& text);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  /// A file that holds no row is removed.
  ~Journal();

  const std::string& path() const { return path_; }
  /// Those that an earlier process finished, the first of the plan.
  const std::vector<FinishedRow>& rows() const { return rows_; }
  /// Those that it measured, for there is one set of ceilings a run; absent where there was none.
  const std::optional<Ceilings>& ceilings() const { return ceilings_; }
  /// When the processes began that measured them.
  const std::vector<std::string>& dates() const { return dates_; }

  /// The first line, from 1, whose checksum is not that of its text; 0: there is none.
  std::size_t changed_line() const { return changed_line_; }

  /// The file as it was read; empty where it held no row.
  const std::string& text() const { return text_; }

  /// Before the first row of this process.
  void begin(const Ceilings& ceilings, const std::string& date);
  void add(const RowResult& row);
  /// The results are in their file: the journal goes.
  void remove();

private:
  bool is_ours() const { return file_.get() >= 0; }
  void read(const std::string& text, bool resume);
  void read_head(const std::string& line);
  void read_line(const std::string& line);
  void check_identity(const RunIdentity& theirs) const;
  void write(const std::string& line);
  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void fail_to_write() const;

  std::string path_, text_;
  RunIdentity identity_;
  Descriptor file_;
  std::size_t changed_line_ = 0;
  std::size_t whole_bytes_ = 0; ///< up to the end of the last line that is whole
  std::vector<FinishedRow> rows_;
  std::optional<Ceilings> ceilings_;
  std::vector<std::string> dates_;
  bool keep_ = true; ///< whether the file stays
};

} // namespace ado
