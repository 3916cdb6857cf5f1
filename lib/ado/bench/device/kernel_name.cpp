// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/device/kernel_name.hpp>

#include <cxxabi.h>

#include <array>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace ado::bench {
namespace {

constexpr std::size_t long_name = 60;

std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 ? text.get() : symbol;
}

/// "F" for "Some<F, G<H>>"; the text itself if it has no template arguments.
std::string first_template_argument(const std::string& text) {
  const std::size_t open = text.find('<');
  if (open == std::string::npos) return text;
  int depth = 0;
  for (std::size_t k = open; k < text.size(); ++k) {
    if (text[k] == '<') ++depth;
    if (text[k] == '>') --depth;
    if (depth == 0 || (depth == 1 && text[k] == ',')) return text.substr(open + 1, k - open - 1);
  }
  return text;
}

/// Every portable kernel is an instance of one of Kokkos' launchers:
/// cuda_parallel_launch_...<ParallelReduce<CombinedFunctorReducer<functor, ...>, policy, ...>,
/// ...>. Nsight Compute leaves out the namespace Impl.
std::string functor_of(const std::string& name) {
  static constexpr std::array<std::string_view, 3> wrappers{"cuda_parallel_launch", "Parallel",
                                                            "CombinedFunctorReducer"};
  std::string functor = name;
  for (const std::string_view wrapper : wrappers)
    for (const char* scope : {"Kokkos::Impl::", "Kokkos::"})
      if (functor.starts_with(scope + std::string(wrapper)))
        functor = first_template_argument(functor);
  return functor;
}

void erase_all(std::string& text, std::string_view part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at))
    text.erase(at, part.size());
}

/// The name up to the parameters of its function.
std::string without_parameters(const std::string& text) {
  int depth = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '<') ++depth;
    if (text[k] == '>') --depth;
    if (depth == 0 && text[k] == '(') return text.substr(0, k);
  }
  return text;
}

std::string without_namespaces(const std::string& text) {
  std::string kept;
  std::size_t word = 0; // start of the current identifier in `kept`
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text.compare(k, 2, "::") == 0) {
      kept.resize(word);
      ++k;
      continue;
    }
    kept += text[k];
    const bool in_word = std::isalnum(static_cast<unsigned char>(text[k])) || text[k] == '_';
    if (!in_word) word = kept.size();
  }
  return kept;
}

/// "A<...>" for "A<B<C>, D>" at depth 1, "A<B<...>, D>" at depth 2.
std::string with_arguments_left_out(const std::string& text, int from_depth) {
  std::string kept;
  int depth = 0;
  for (const char c : text) {
    if (c == '>') --depth;
    if (depth < from_depth) kept += c;
    if (c != '<') continue;
    if (++depth == from_depth) kept += "...";
  }
  return kept;
}

} // namespace

std::string readable_kernel_name(const std::string& symbol) {
  return readable_demangled_name(demangled(symbol));
}

std::string readable_demangled_name(const std::string& demangled_name) {
  std::string name = demangled_name;
  for (const char* unnamed : {"(anonymous namespace)::", "<unnamed>::"})
    erase_all(name, unnamed);
  if (name.starts_with("void ")) name.erase(0, 5);
  name = without_namespaces(without_parameters(functor_of(name)));
  for (std::size_t at = name.find("> >"); at != std::string::npos; at = name.find("> >"))
    name.erase(at + 1, 1);
  for (int depth = 2; depth > 0 && name.size() > long_name; --depth)
    name = with_arguments_left_out(name, depth);
  return name;
}

} // namespace ado::bench
