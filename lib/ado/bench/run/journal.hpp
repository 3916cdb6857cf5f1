// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The finished rows of a run, each on disk at once, so that an interrupted run can go on. One line
// of JSON per row, below one that says which run it is.
#pragma once

#include <ado/bench/io/files.hpp>
#include <ado/bench/run/journal_row.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ado::bench {

/// What all processes that measure one run share: name, value.
using RunIdentity = std::vector<std::pair<std::string, std::string>>;

class Journal {
public:
  /// Opens or creates the file for this process alone. Throws InputError if it holds rows and
  /// `resume` is not set, if they are of another run, or if it is no journal. Drops a line that was
  /// cut off.
  Journal(std::string path, bool resume, const RunIdentity& identity);
  /// For a rank without the file: `text` is what the rank with the file read. Writes nothing.
  Journal(std::string path, const std::string& text);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  /// Removes a file that holds no row.
  ~Journal();

  const std::string& path() const { return path_; }
  /// Rows that an earlier process finished, the first of the plan.
  const std::vector<FinishedRow>& rows() const { return rows_; }
  /// Its ceilings, because a run has one set of them; absent: there was no such process.
  const std::optional<Ceilings>& ceilings() const { return ceilings_; }
  /// When the processes that measured them began.
  const std::vector<std::string>& dates() const { return dates_; }

  /// The first line, from 1, whose checksum does not match its text; 0: none.
  std::size_t changed_line() const { return changed_line_; }

  /// The file as it was read; empty if it held no row.
  const std::string& text() const { return text_; }

  /// Call before the first row of this process.
  void begin(const Ceilings& ceilings, const std::string& date);
  void add(const RowResult& row);
  /// The results are in their file: removes the journal.
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
  std::size_t whole_bytes_ = 0; ///< up to the end of the last whole line
  std::vector<FinishedRow> rows_;
  std::optional<Ceilings> ceilings_;
  std::vector<std::string> dates_;
  bool keep_ = true; ///< whether the file stays
};

} // namespace ado::bench
