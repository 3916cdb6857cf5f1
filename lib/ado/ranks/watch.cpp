// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/io/program.hpp>
#include <ado/ranks/watch.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace ado {

Watch::Watch(std::string name, double seconds)
    : name_(std::move(name)), patience_(seconds), thread_([this] { look(); }) {}

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
}

void Watch::look() {
  const std::chrono::duration<double> step(std::clamp(patience_.count() / 10, 0.01, 1.0));
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, step, [&] { return over_; })) {
    const std::chrono::duration<double> quiet = Clock::now() - since_;
    if (quiet < patience_) continue;
    char text[512];
    const int length = std::snprintf(
        text, sizeof text,
        "%s: %s %s and has heard nothing for %.3g s; all ranks end (--rank-timeout)\n",
        program_name.c_str(), name_.c_str(), what_, quiet.count());
    static_cast<void>(!write(STDERR_FILENO, text, static_cast<std::size_t>(length)));
    // The others say where they are too. Then the launcher ends who is left: MPI itself may be what hangs.
    std::this_thread::sleep_for(std::chrono::seconds(1));
    std::_Exit(3);
  }
}

} // namespace ado
