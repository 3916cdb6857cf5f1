// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank that hangs would keep all others for ever: a thread of each looks whether they still talk.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace ado {

class Watch {
public:
  /// Ends the program, exit status 3, and so all ranks, where note() was not called for `seconds`. `name` stands in the
  /// message.
  Watch(std::string name, double seconds);
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch();

  /// What the rank does from now on, for the message.
  void note(const char* what);

private:
  using Clock = std::chrono::steady_clock;
  void look();

  std::string name_;
  std::chrono::duration<double> patience_;
  std::mutex mutex_;
  std::condition_variable ended_;
  const char* what_ = "is at work"; // these three under the mutex
  Clock::time_point since_ = Clock::now();
  bool over_ = false;
  std::thread thread_; // the last: it uses the others
};

} // namespace ado
