// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/guard/fault_text.hpp>
#include <ado/bench/guard/kernel_guard.hpp>
#include <ado/bench/io/number.hpp>
#include <ado/bench/io/program.hpp>
#include <ado/ranks/watch.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace ado::bench {

Watch::Watch(std::string name, double seconds, Missing missing)
    : name_(std::move(name)),
      patience_(seconds),
      missing_(std::move(missing)),
      thread_([this] { look(); }) {}

Watch::~Watch() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_all();
  thread_.join();
}

void Watch::note(const char* what) {
  const std::lock_guard lock(mutex_);
  what_ = what;
  since_ = Clock::now();
  said_ = false;
}

void Watch::forget_missing() {
  const std::lock_guard lock(mutex_);
  missing_ = nullptr;
}

double Watch::patience_to_say_who() const { return std::min(30.0, patience_.count() / 2); }

/// One rank per host says it. If none of its own ranks is missing, ranks of another host say who.
void Watch::say(const std::string& who) {
  FaultText text(program_name);
  text.add(": ").add(name_).add(" has waited ").add(number("%.3g", patience_to_say_who()));
  text.add(" s for ").add(who).add(running_kernel());
  text.add("; all ranks end after ").add(number("%.3g", patience_.count()));
  text.add(" s (--rank-timeout)").write_line(STDERR_FILENO);
}

void Watch::look() {
  const std::chrono::duration<double> step(std::clamp(patience_.count() / 10, 0.01, 1.0));
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, step, [&] { return over_; })) {
    const std::chrono::duration<double> quiet = Clock::now() - since_;
    bool speaks = false;
    const std::string who = missing_ ? missing_(what_ == waits_for_others, speaks) : "";
    if (quiet.count() >= patience_to_say_who() && speaks && !who.empty() &&
        !std::exchange(said_, true))
      say(who);
    if (quiet < patience_) continue;
    FaultText text(program_name);
    text.add(": ").add(name_).add(" ").add(what_).add(" and has heard nothing for ");
    text.add(number("%.3g", quiet.count())).add(" s").add(running_kernel());
    text.add("; all ranks end (--rank-timeout)").write_line(STDERR_FILENO);
    // Time for the others to say where they are. Then the launcher ends the rest: MPI itself may
    // hang.
    std::this_thread::sleep_for(std::chrono::seconds(1));
    std::_Exit(3);
  }
}

} // namespace ado::bench
