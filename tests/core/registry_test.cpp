// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The registry against the source files: every file reaches the tables.
#include <ado/bench/device/device.hpp>
#include <ado/registry/registry.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <tuple>

namespace ado::bench {
namespace {

/// "transpose/kokkos/tuned.cpp": the path from the algorithm's folder on.
std::string short_path(const std::filesystem::path& path) {
  std::filesystem::path from = path.filename();
  for (std::filesystem::path folder = path.parent_path(); !folder.empty();
       folder = folder.parent_path()) {
    from = folder.filename() / from;
    if (find_algorithm(folder.filename().string()) != nullptr) break;
  }
  return from.string();
}

/// The variant files of the source tree that this build compiles, as CMake found them.
std::set<std::string> variant_files() {
  std::set<std::string> files;
  std::istringstream list(ADO_VARIANT_FILES);
  for (std::string file; std::getline(list, file, ':');)
    files.insert(short_path(file));
  return files;
}

std::string describe(const Variant& v) {
  return std::string(v.algorithm) + " " + std::string(name_of(v.model)) + " " +
         std::string(v.name) + " " + std::string(v.backend);
}

bool registered(std::string_view algorithm, Model model, std::string_view name,
                std::string_view backend) {
  return std::any_of(variants().begin(), variants().end(), [&](const Variant& v) {
    return v.algorithm == algorithm && v.model == model && v.name == name && v.backend == backend;
  });
}

TEST(Registry, EveryVariantFileRegisters) {
  std::set<std::string> registering;
  for (const Variant& v : variants())
    registering.insert(short_path(v.file));
  for (const std::string& file : variant_files())
    EXPECT_TRUE(registering.count(file)) << file << " registers no variant";
}

TEST(Registry, EveryVariantComesFromAFileOfItsAlgorithm) {
  const std::set<std::string> files = variant_files();
  EXPECT_GE(files.size(), 10u);
  for (const Variant& v : variants()) {
    const std::string file = short_path(v.file);
    EXPECT_TRUE(files.count(file)) << describe(v) << " comes from " << v.file;
    EXPECT_EQ(file.substr(0, file.find('/')), v.algorithm) << v.file;
  }
}

TEST(Registry, FilesHaveTheNamesOfTheirVariants) {
  for (const Variant& v : variants()) {
    const std::filesystem::path path(v.file);
    EXPECT_EQ(path.stem().string(), v.name) << v.file;
    // native_cuda/ also holds CUDA's own libraries, and each other library has a folder of its own.
    if (v.model == Model::kokkos || v.model == Model::openmp) {
      EXPECT_EQ(path.parent_path().filename().string().find(name_of(v.model)), 0u) << v.file;
    }
  }
}

/// A hand-written twin declares a shared kernel exactly if it includes the portable one.
TEST(Registry, ASharedKernelIsOneThatTheFileIncludes) {
  std::size_t shared = 0;
  for (const Variant& v : variants()) {
    if (v.model != Model::openmp) continue;
    std::ifstream file(ADO_SOURCE_DIR "/lib/ado/" + short_path(v.file));
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    ASSERT_NE(text, "") << v.file;
    const std::string folder = "#include <ado/" + std::string(v.algorithm) + "/";
    if (v.shared_kernel.empty()) {
      EXPECT_EQ(text.find(folder + "detail/host"), text.npos) << v.file;
    } else {
      EXPECT_NE(text.find(folder + std::string(v.shared_kernel) + ">"), text.npos) << v.file;
      ++shared;
    }
  }
  EXPECT_EQ(shared, 2u);
}

TEST(Registry, NamesAreUnique) {
  std::set<std::tuple<std::string_view, Model, std::string_view, std::string_view>> seen;
  for (const Variant& v : variants())
    EXPECT_TRUE(seen.insert({v.algorithm, v.model, v.name, v.backend}).second) << describe(v);
  std::set<std::string_view> names;
  for (const Algorithm& a : algorithms())
    EXPECT_TRUE(names.insert(a.name).second) << a.name;
}

TEST(Registry, EveryAlgorithmHasItsOracleAndItsBestVariants) {
  ASSERT_GE(algorithms().size(), 6u);
  for (const Algorithm& a : algorithms()) {
    EXPECT_TRUE(registered(a.name, Model::serial, "serial", host_backend)) << a.name;
    EXPECT_TRUE(registered(a.name, Model::openmp, a.best, host_backend)) << a.name;
    for (const std::string& backend : backend_names()) {
      EXPECT_TRUE(registered(a.name, Model::kokkos, a.best_portable(), backend))
          << a.name << " " << backend;
      const bool has_native = backend != "cuda" || registered(a.name, Model::cuda, a.best, "cuda");
      EXPECT_TRUE(has_native) << a.name << " has no hand-written CUDA " << a.best;
    }
  }
}

TEST(Registry, RecordsAreComplete) {
  for (const Algorithm& a : algorithms()) {
    EXPECT_FALSE(a.formula.empty()) << a.name;
    EXPECT_TRUE(a.types.contains(a.default_type)) << a.name;
    EXPECT_GE(a.edge_shapes().size(), 20u) << a.name;
    for (std::size_t k = 0; k < 3; ++k) // powers of two, as in the classic ladders
      EXPECT_EQ(a.classic[k] & (a.classic[k] - 1), 0u) << a.name;
    const std::vector<ArraySpec> specs = a.arrays(a.classic);
    for (const ArraySpec& spec : specs)
      EXPECT_EQ(spec.output, &spec == &specs.back()) << a.name << "." << spec.name;
  }
  for (const Variant& v : variants()) {
    const Algorithm* algorithm = find_algorithm(v.algorithm);
    ASSERT_NE(algorithm, nullptr) << describe(v);
    EXPECT_NE(v.run, nullptr) << describe(v);
    EXPECT_NE(v.rounding_steps, nullptr) << describe(v);
    EXPECT_FALSE(v.summary.empty()) << describe(v);
    bool any = false;
    for (const TypeInfo& row : type_table) {
      any = any || v.types.contains(row.type);
      EXPECT_TRUE(!v.types.contains(row.type) || algorithm->types.contains(row.type))
          << describe(v) << " " << row.name;
    }
    EXPECT_TRUE(any) << describe(v) << " has no type";
  }
}

/// Speeds are these bytes over time, and limiters use these operations: counted by hand.
TEST(Traffic, IsEachArrayOnceAndTheOperationsOfTheFormula) {
  const struct {
    const char* algorithm;
    Type type;
    double read, written, flops;
  } rows[] = {{"average", Type::f32, 385 * 4, 35 * 4, 385}, // 5 x 7 x 11
              {"average_mv", Type::f32, (385 + 49) * 4, 35 * 4, 385 + 2 * 49 * 5},
              {"transpose", Type::i32, 35 * 4, 35 * 4, 0}, // 5 x 7
              {"yax", Type::f64, (35 + 5 + 7) * 8, 8, 2 * 35 + 2 * 5},
              {"vector_add", Type::f32, 2 * 5 * 4, 5 * 4, 5},
              {"vector_add", Type::i64, 2 * 5 * 8, 5 * 8, 0}};
  for (const auto& row : rows) {
    const Traffic traffic = traffic_of(*find_algorithm(row.algorithm), {5, 7, 11}, row.type);
    EXPECT_EQ(traffic.bytes_read, row.read) << row.algorithm;
    EXPECT_EQ(traffic.bytes_written, row.written) << row.algorithm;
    EXPECT_EQ(traffic.flops, row.flops) << row.algorithm;
  }
}

TEST(Registry, LaddersHoldVariantsAndEndWithTheBest) {
  for (const Algorithm& a : algorithms()) {
    EXPECT_EQ(a.ladder.back(), a.best_portable()) << a.name;
    for (const std::string_view rung : a.ladder)
      EXPECT_TRUE(
          std::any_of(variants().begin(), variants().end(),
                      [&](const Variant& v) { return v.algorithm == a.name && v.name == rung; }) ||
          rung == "split_gemm" || rung == "two_call") // from an optional library
          << a.name << "/" << rung;
    for (const Variant& v : variants())
      EXPECT_TRUE(v.algorithm != a.name || v.model != Model::kokkos ||
                  place_of(a, v.name) < a.ladder.size() + a.exhibits.size())
          << describe(v) << " is neither a rung nor an exhibit";
  }
}

TEST(Registry, ExhibitsAreNoRungsAndAreShownBehindThem) {
  for (const Algorithm& a : algorithms())
    for (std::size_t k = 0; k < a.exhibits.size(); ++k) {
      const std::string_view exhibit = a.exhibits[k];
      EXPECT_EQ(place_of(a, exhibit), a.ladder.size() + k) << exhibit;
      EXPECT_LT(place_of(a, exhibit), place_of(a, "of a library")) << exhibit;
      EXPECT_TRUE(
          std::any_of(variants().begin(), variants().end(),
                      [&](const Variant& v) { return v.algorithm == a.name && v.name == exhibit; }))
          << a.name << "/" << exhibit;
    }
}

TEST(Registry, FindsByName) {
  EXPECT_EQ(find_algorithm("transpose")->name, "transpose");
  EXPECT_EQ(find_algorithm("transpos"), nullptr);
  EXPECT_EQ(find_algorithm(""), nullptr);
}

} // namespace
} // namespace ado::bench
