// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/io/files.hpp>
#include <ado/bench/io/interrupt.hpp>
#include <ado/bench/io/progress.hpp>
#include <ado/bench/processes/in_turn.hpp>

#include <unistd.h>

#include <cerrno>
#include <filesystem>

namespace ado::bench {
namespace {

/// A result that is wrong, or a variant that does not fit, is in the record; without one, nothing
/// was measured.
void write_record(const std::string& program, const std::vector<std::string>& options,
                  const std::string& record, const TemporaryFolder& folder) {
  ChildProgram child{
      .path = program, .arguments = {program}, .environment = {}, .output = record + ".out"};
  child.arguments.insert(child.arguments.end(), options.begin(), options.end());
  for (const std::string& argument :
       {std::string("--json"), record, std::string("--ceilings"), folder.file("ceilings")})
    child.arguments.push_back(argument);
  const int status = run_child(child);
  if (interrupted() == 0 && !std::filesystem::exists(record))
    throw InputError(program + ": ended with status " + std::to_string(status) +
                     " and wrote no record: " + last_line(child.output));
}

} // namespace

RecordsInTurn run_in_turn(const std::string& a, const std::string& b,
                          const std::vector<std::string>& options, std::size_t rounds,
                          const TemporaryFolder& folder) {
  for (const std::string& program : {a, b})
    if (access(program.c_str(), X_OK) != 0 || std::filesystem::is_directory(program))
      throw InputError(program + ": is no program (" + error_text(errno == 0 ? EISDIR : errno) +
                       "); name the file that a build made: build/openmp/bin/miniapp");
  RecordsInTurn records;
  const Places of_a(a), of_b(b);
  Progress progress(0, 2 * rounds, static_cast<double>(2 * rounds));
  for (std::size_t turn = 0; turn < 2 * rounds && interrupted() == 0; ++turn) {
    const std::size_t round = turn / 2;
    const bool is_a = turn % 2 == round % 2;
    progress.next(is_a ? "A" : "B", 1);
    std::vector<std::string>& side = is_a ? records.a : records.b;
    side.push_back(folder.file((is_a ? "a" : "b") + std::to_string(round)));
    write_record((is_a ? of_a : of_b).of_process(round), options, side.back(), folder);
  }
  return records;
}

} // namespace ado::bench
