// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The oracle of a problem with several outputs.
#pragma once

#include <ado/registry/algorithm.hpp>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace ado::bench {

/// Has an oracle for each output.
class EachOracle final : public Oracle {
public:
  explicit EachOracle(std::vector<std::unique_ptr<Oracle>> parts) : parts_(std::move(parts)) {}

  std::size_t outputs() const override { return parts_.size(); }
  const Oracle& of_output(std::size_t k) const override { return *parts_.at(k); }
  bool reads_inputs() const override {
    for (const std::unique_ptr<Oracle>& part : parts_)
      if (part->reads_inputs()) return true;
    return false;
  }
  Check check(const Array&, const Tolerance&) const override {
    throw std::logic_error("EachOracle: of_output() says which output");
  }

private:
  std::vector<std::unique_ptr<Oracle>> parts_;
};

/// The oracle of several outputs from one for each, in their order:
/// `oracle_of_each(exact_oracle(...), oracle_of_sums(...))`.
template <class... Oracles>
std::unique_ptr<Oracle> oracle_of_each(std::unique_ptr<Oracles>... parts) {
  std::vector<std::unique_ptr<Oracle>> all;
  (all.push_back(std::move(parts)), ...);
  return std::make_unique<EachOracle>(std::move(all));
}

} // namespace ado::bench
