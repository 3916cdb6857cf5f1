// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank that hangs would keep all others for ever: a thread of each looks whether they still talk.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace ado {

/// What a rank does whose next words are another's.
inline constexpr const char* waits_for_others = "waits for the others";

class Watch {
public:
  /// Ends the program, exit status 3, and so all ranks, where note() was not called for `seconds`. `name` stands in the
  /// message. Where it has waited for 30 s, or half of that time, it says for whom: as Mates::missing().
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
  const char* what_ = "is at work"; // these, and missing_, under the mutex
  Clock::time_point since_ = Clock::now();
  bool over_ = false, said_ = false;
  std::thread thread_; // the last: it uses the others
};

} // namespace ado
