// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What drawn.py writes into sources: every mutant is in the program, and ADO_MUTANT selects one. An
// operator `a < b` becomes `a <ado_mutant::Less<17>{}< b`, which keeps precedence: a proxy holds a,
// and the second operator does what the original or the mutant does. In constant expressions no
// mutant is active.
#pragma once

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#ifdef __CUDACC__
#define ADO_MUTANT_FUNCTION __host__ __device__
#else
#define ADO_MUTANT_FUNCTION
#endif

namespace ado_mutant {

inline constexpr int most = 4096;

/// The mutants that the process reached; appended at exit to the file named by ADO_REACHED.
struct Reached {
  std::array<std::atomic<bool>, most> flags{};
  ~Reached() {
    const char* const path = std::getenv("ADO_REACHED");
    if (path == nullptr) return;
    if (std::FILE* const file = std::fopen(path, "a")) {
      for (int id = 0; id < most; ++id)
        if (flags[static_cast<std::size_t>(id)]) std::fprintf(file, "%d\n", id);
      std::fclose(file);
    }
  }
};
inline Reached reached;

/// The active mutant; -1: none.
inline int& chosen() {
  static int id = [] {
    const char* const text = std::getenv("ADO_MUTANT");
    return text == nullptr ? -1 : std::atoi(text);
  }();
  return id;
}

/// Each file has its own variables on a device.
struct OnDevice {
  void (*begin)();
  void (*end)();
};
inline std::vector<OnDevice> on_device;

#ifdef __CUDACC__
static __device__ int chosen_on_device = -1;
static __device__ unsigned char reached_on_device[most];
static const bool known = [] {
  on_device.push_back({[] {
                         const int id = chosen();
                         cudaMemcpyToSymbol(chosen_on_device, &id, sizeof id);
                       },
                       [] {
                         static unsigned char flags[most];
                         cudaMemcpyFromSymbol(flags, reached_on_device, sizeof flags);
                         for (int id = 0; id < most; ++id)
                           if (flags[id] != 0) reached.flags[static_cast<std::size_t>(id)] = true;
                         static const unsigned char none[most] = {};
                         cudaMemcpyToSymbol(reached_on_device, none, most);
                       }});
  return true;
}();
#endif

template <int Id>
constexpr ADO_MUTANT_FUNCTION bool on() {
  if (__builtin_is_constant_evaluated()) return false;
#ifdef __CUDA_ARCH__
  if (reached_on_device[Id] == 0) reached_on_device[Id] = 1;
  return chosen_on_device == Id;
#else
  if (!reached.flags[Id].load(std::memory_order_relaxed))
    reached.flags[Id].store(true, std::memory_order_relaxed);
  return chosen() == Id;
#endif
}

/// A condition, or its opposite.
template <int Id>
constexpr ADO_MUTANT_FUNCTION bool flip(bool condition) {
  return on<Id>() ? !condition : condition;
}

/// An integer, or the next one.
template <int Id, auto Value>
constexpr ADO_MUTANT_FUNCTION auto next() {
  return on<Id>() ? static_cast<decltype(Value)>(Value + 1) : Value;
}

#define ADO_MUTANT(NAME, OPERATOR, OTHER)                                                          \
  template <int Id>                                                                                \
  struct NAME {};                                                                                  \
  template <class A, int Id>                                                                       \
  struct NAME##Of {                                                                                \
    A a;                                                                                           \
  };                                                                                               \
  template <class A, int Id>                                                                       \
  constexpr ADO_MUTANT_FUNCTION NAME##Of<A, Id> operator OPERATOR(A a, NAME<Id>) {                 \
    return {a};                                                                                    \
  }                                                                                                \
  template <class A, class B, int Id>                                                              \
  constexpr ADO_MUTANT_FUNCTION auto operator OPERATOR(NAME##Of<A, Id> left, const B& b) {         \
    using Result = decltype(left.a OPERATOR b);                                                    \
    return on<Id>() ? static_cast<Result>(left.a OTHER b) : left.a OPERATOR b;                     \
  }
ADO_MUTANT(Less, <, <=)
ADO_MUTANT(LessEqual, <=, <)
ADO_MUTANT(Greater, >, >=)
ADO_MUTANT(GreaterEqual, >=, >)
ADO_MUTANT(Equal, ==, !=)
ADO_MUTANT(Unequal, !=, ==)
ADO_MUTANT(Plus, +, -)
ADO_MUTANT(Minus, -, +)
ADO_MUTANT(Times, *, +)
ADO_MUTANT(Over, /, *)
ADO_MUTANT(Modulo, %, *)
#undef ADO_MUTANT

inline void choose(int id) {
  chosen() = id;
  for (const OnDevice& part : on_device)
    part.begin();
}

/// Answers requests on stdin in one process, because starting CUDA takes seconds:
///   reach CASE       the mutants that the case reaches
///   try ID CASE...   "caught CASE" for the first case that is wrong with the mutant, or "survived"
/// If the caught case is then wrong without the mutant too, because the mutant left something
/// behind, the answer is "caught CASE dirty", and the process ends. Answers begin with "@ ", and
/// each case is announced before it is tried: ". CASE".
template <class IsRight>
int answer(const IsRight& is_right) {
  std::string line, what;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    unsigned long long of_case = 0;
    std::string said;
    words >> what;
    if (what == "reach") {
      for (auto& flag : reached.flags)
        flag = false;
      words >> of_case;
      is_right(of_case);
      for (const OnDevice& part : on_device)
        part.end();
      for (int id = 0; id < most; ++id)
        if (reached.flags[static_cast<std::size_t>(id)]) said += std::to_string(id) + " ";
    } else {
      int id = 0;
      words >> id;
      choose(id);
      said = "survived";
      while (said == "survived" && words >> of_case) {
        std::cout << ". " << of_case << std::endl;
        if (!is_right(of_case)) said = "caught " + std::to_string(of_case);
      }
      choose(-1);
      if (said != "survived" && !is_right(of_case)) said += " dirty";
    }
    std::cout << "@ " << said << std::endl;
    if (said.ends_with("dirty")) break;
  }
  return 0;
}

} // namespace ado_mutant
