// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/guard/restart.hpp>
#include <ado/bench/io/number.hpp>
#include <ado/bench/io/printable.hpp>
#include <ado/bench/io/shallow_json.hpp>
#include <ado/bench/measure/ceilings_text.hpp>
#include <ado/bench/run/journal.hpp>
#include <ado/host/fingerprint.hpp>

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

namespace ado::bench {
namespace {

using Json = nlohmann::json;
using namespace std::string_literals;

/// Every journal begins with these bytes.
constexpr std::string_view head_start = R"({"ado_journal":1,)";

std::string text_of(const Json& entry) {
  return entry.dump(-1, ' ', false, Json::error_handler_t::replace);
}

int open_for_append(const std::string& path) {
  const int follow = path == kept_rows_path() ? 0 : O_NOFOLLOW;
  return ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | follow | O_NONBLOCK | O_CLOEXEC, 0666);
}

/// Waits until the data would survive a power cut. Some file systems cannot say.
bool is_on_disk(int file) {
  return ::fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
}

constexpr std::string_view seal_start = R"(,"checksum":)";

/// A JSON object with a checksum of its content at the end.
std::string sealed(const std::string& object) {
  return object.substr(0, object.size() - 1) + std::string(seal_start) +
         std::to_string(detail::fingerprint(object)) + "}";
}
std::string without_seal(const std::string& line) {
  const std::size_t at = line.rfind(seal_start);
  return at == std::string::npos ? line : line.substr(0, at) + "}";
}

/// Drops what follows the last newline: a line that was cut off.
std::vector<std::string> whole_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t end = 0;
  for (std::size_t begin = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.push_back(text.substr(begin, end - begin));
  return lines;
}

/// An argument may not be UTF-8, and then reads back differently.
RunIdentity as_read_back(const RunIdentity& identity) {
  return Json::parse(text_of(identity)).get<RunIdentity>();
}

} // namespace

Journal::Journal(std::string path, bool resume, const RunIdentity& identity)
    : path_(std::move(path)), identity_(as_read_back(identity)), file_(open_for_append(path_)) {
  if (file_.get() < 0) fail("cannot be opened (" + error_text(errno) + ")");
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0)
    fail("another run that is not finished writes to it; name another file");
  read(read_file(path_), resume);
}

Journal::Journal(std::string path, const std::string& text) : path_(std::move(path)), file_(-1) {
  read(text, true);
}

Journal::~Journal() {
  if (!keep_ && is_ours()) ::unlink(path_.c_str());
}

void Journal::fail(const std::string& what) const { throw InputError(path_ + ": " + what); }

void Journal::read(const std::string& text, bool resume) {
  const std::string_view start = std::string_view(text).substr(0, head_start.size());
  if (start != head_start.substr(0, start.size()))
    fail("is no journal of a run, and a run with that --json file needs this name; move it away");
  std::vector<std::string> lines = whole_lines(text);
  keep_ = lines.size() > 1;
  if (!keep_ && !is_restarted()) return; // no row to go on from
  if (lines.empty()) return;
  if (!resume)
    fail("holds " + counted(lines.size() - 1, "line") +
         " of a run that was interrupted; with "
         "--resume the run goes on from there; to begin anew, delete the file");
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const std::string object = without_seal(lines[k]);
    if (changed_line_ == 0 && sealed(object) != lines[k]) changed_line_ = k + 1;
    lines[k] = object;
  }
  std::size_t number = 0; // of the last line read
  try {
    read_head(lines[0]);
    while (++number < lines.size())
      read_line(lines[number]);
  } catch (const InputError&) {
    throw;
  } catch (const std::exception& error) {
    fail("line " + std::to_string(number + 1) + " is damaged (" + printable(error.what()) +
         "); to begin anew, delete the file");
  }
  whole_bytes_ = text.rfind('\n') + 1;
  text_ = text;
}

void Journal::read_head(const std::string& line) {
  const Json head = parse_shallow_json(line);
  if (is_ours()) check_identity(head.at("identity").get<RunIdentity>());
  dates_ = {printable(head.at("date").get<std::string>())};
  ceilings_ = ceilings_from_text(text_of(head.at("ceilings")));
}

void Journal::check_identity(const RunIdentity& theirs) const {
  for (std::size_t k = 0; k < std::max(theirs.size(), identity_.size()); ++k) {
    const auto [name, there] =
        k < theirs.size() ? theirs[k] : std::pair{identity_[k].first, "none"s};
    const auto [here_name, here] = k < identity_.size() ? identity_[k] : std::pair{name, "none"s};
    if (name != here_name || there != here)
      fail("is of another run: its " + printable(name) + " is '" + printable(there) + "', here " +
           (name == here_name ? "" : here_name + " ") + "it is '" + here +
           "'; run it as it was begun, or delete the file to begin anew");
  }
}

void Journal::read_line(const std::string& line) {
  const Json entry = parse_printable_json(line);
  if (entry.contains("resumed"))
    dates_.push_back(entry.at("resumed").get<std::string>());
  else
    rows_.push_back(read_row(line));
}

void Journal::begin(const Ceilings& ceilings, const std::string& date) {
  if (!is_ours()) return;
  // After the last whole line, or over what holds no row.
  if (::ftruncate(file_.get(), static_cast<off_t>(whole_bytes_)) != 0) fail_to_write();
  const std::string folder = std::filesystem::path(path_).parent_path();
  const Descriptor of_name(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC));
  if (of_name.get() >= 0 && !is_on_disk(of_name.get())) fail_to_write();
  if (whole_bytes_ > 0)
    write(text_of({{"resumed", date}}));
  else
    write(text_of({{"ado_journal", 1},
                   {"date", date},
                   {"identity", identity_},
                   {"ceilings", Json::parse(ceilings_text(ceilings))}}));
}

void Journal::add(const RowResult& row) {
  if (!is_ours()) return;
  write(row_line(row));
  keep_ = true;
}

void Journal::remove() { keep_ = false; }

void Journal::write(const std::string& line) {
  const std::string text = sealed(line) + "\n";
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t put = ::write(file_.get(), text.data() + done, text.size() - done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail_to_write();
    done += static_cast<std::size_t>(put);
  }
  if (!is_on_disk(file_.get())) fail_to_write();
}

void Journal::fail_to_write() const {
  fail("cannot be written (" + error_text(errno) +
       "); the rows so far are in it: check the space "
       "left and go on with --resume");
}

} // namespace ado::bench
