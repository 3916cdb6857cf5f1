// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank that hangs would block all others for ever, so a thread in each rank checks whether they
// still talk.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace ado::bench {

/// What a rank does while it waits for another to talk.
inline constexpr const char* waits_for_others = "waits for the others";

class Watch {
public:
  /// Ends the program, and so all ranks, with exit status 3 if note() was not called for `seconds`.
  /// `name` stands in the message. After 30 s, or half of that time if shorter, it says whom the
  /// rank waits for, as Mates::missing() does.
  using Missing = std::function<std::string(bool waits, bool& speaks)>;
  Watch(std::string name, double seconds, Missing missing);
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch();

  /// What the rank does from now on, for the message.
  void note(const char* what);
  /// From now on nobody knows who is missing.
  void forget_missing();

private:
  using Clock = std::chrono::steady_clock;
  void look();
  void say(const std::string& who);
  double patience_to_say_who() const;

  std::string name_;
  std::chrono::duration<double> patience_;
  Missing missing_;
  std::mutex mutex_;
  std::condition_variable ended_;
  const char* what_ = "is at work"; // guarded by the mutex, like missing_
  Clock::time_point since_ = Clock::now();
  bool over_ = false, said_ = false;
  std::thread thread_; // last, because it uses the others
};

} // namespace ado::bench
