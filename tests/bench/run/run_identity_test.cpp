// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --resume continues only if everything is the same: each single fact changes the identity.
#include "described_device.hpp"
#include "npy_files.hpp"
#include <ado/bench/run/run_identity.hpp>
#include <ado/registry/registry.hpp>

#include <gtest/gtest.h>

#include <fstream>

namespace ado::bench {
namespace {

class Identity : public npy_files::NpyFixture {
protected:
  RunIdentity now() const { return run_identity(options_, cases_, facts_, device_); }
  void write_input(const std::string& bytes) const {
    std::ofstream(path("a.npy"), std::ios::binary | std::ios::trunc) << bytes;
  }
  /// The names of the entries that `change` changes.
  template <class Change>
  std::vector<std::string> changed_by(Change&& change) {
    const RunIdentity before = now();
    change();
    const RunIdentity after = now();
    EXPECT_EQ(before.size(), after.size());
    std::vector<std::string> names;
    for (std::size_t k = 0; k < std::min(before.size(), after.size()); ++k)
      if (before[k] != after[k]) names.push_back(after[k].first);
    return names;
  }
  using Changed = std::vector<std::string>;

  void SetUp() override {
    NpyFixture::SetUp();
    write_input("first");
    options_.inputs["a"] = path("a.npy");
    device_.facts = {{"L2", "60 MB"}};
    const Variant* team = find_variant("yax", "kokkos", "team", device_.backend);
    const Problem problem{find_algorithm("yax"), {41, 67, 1}, Type::f64};
    cases_ = {{problem, {}, {Row{.name = "team", .portable = team}}}};
  }
  Options options_;
  DescribedDevice device_{2, 1 << 20, 1 << 30};
  std::vector<Case> cases_;
  RunFacts facts_ = described_facts();
};

TEST_F(Identity, EachFactOfMachineAndBuildCounts) {
  EXPECT_EQ(changed_by([&] { facts_.version = "w"; }), Changed{"version"});
  EXPECT_EQ(changed_by([&] { facts_.commit = "4567"; }), Changed{"commit"});
  EXPECT_EQ(changed_by([&] { facts_.compiler = "Clang"; }), Changed{"compiler"});
  EXPECT_EQ(changed_by([&] { facts_.compiler_flags = "-O2"; }), Changed{"compiler flags"});
  EXPECT_EQ(changed_by([&] { facts_.build_type = "debug"; }), Changed{"build type"});
  EXPECT_EQ(changed_by([&] { facts_.kokkos = "5.0.0"; }), Changed{"Kokkos"});
  EXPECT_EQ(changed_by([&] { facts_.host = "i"; }), Changed{"host"});
  EXPECT_EQ(changed_by([&] { facts_.cpu = "k"; }), Changed{"CPU"});
  EXPECT_EQ(changed_by([&] { facts_.backend = "cuda"; }), Changed{"backend"});
  EXPECT_EQ(changed_by([&] { facts_.device = "e"; }), Changed{"device"});
  EXPECT_EQ(changed_by([&] { device_.facts[0].second = "61 MB"; }), Changed{"L2"});
  EXPECT_EQ(changed_by([&] { device_.cpus.list = "0-1"; }), Changed{"CPUs allowed"});
  EXPECT_EQ(changed_by([&] { device_.cpus.quota = 1.5; }), Changed{"CPU quota"});
  EXPECT_EQ(changed_by([&] { facts_.environment[0].second = "threads"; }), Changed{"OMP_PLACES"});
}

TEST_F(Identity, WhatIsMeasuredCountsAndWhereResultsGoDoesNot) {
  EXPECT_EQ(changed_by([&] { options_.measured = "--seed 2"; }), Changed{"command line"});
  EXPECT_EQ(changed_by([&] { facts_.date = "later"; }), Changed{});
  const Changed input{"input " + path("a.npy")};
  EXPECT_EQ(changed_by([&] { write_input("another one"); }), input);
  EXPECT_EQ(changed_by([&] { cases_[0].problem.shape[1] = 71; }), Changed{"plan"});
  EXPECT_EQ(changed_by([&] { cases_[0].problem.row_padding = 3; }), Changed{"plan"});
  EXPECT_EQ(changed_by([&] { cases_[0].rows[0].name = "team_size 64"; }), Changed{"plan"});
  EXPECT_EQ(
      changed_by([&] { cases_[0].rows[0].native = find_variant("yax", "serial", "serial", ""); }),
      Changed{"plan"});
}

} // namespace
} // namespace ado::bench
