// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CPU threads share the work, which results do not show: they would be right even if one thread did
// everything. Each page of the arrays is closed before a run; the thread that opens it first worked
// on it.
#include "closed_pages.hpp"
#include "variant_test.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <thread>
#include <vector>

namespace ado::bench {
namespace {

/// Whole pages of an array, and the thread that opened each.
struct Pages {
  std::byte* begin;
  std::size_t count;
  std::vector<std::atomic<pid_t>> opener;
  Pages(void* data, std::size_t bytes)
      : begin(static_cast<std::byte*>(data) +
              (page_bytes - reinterpret_cast<std::uintptr_t>(data) % page_bytes)),
        count((bytes - page_bytes) / page_bytes),
        opener(count) {
    close_pages(begin, count * page_bytes);
  }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  ~Pages() { open_pages(begin, count * page_bytes); }

  bool open(void* address) {
    const auto offset = static_cast<std::byte*>(address) - begin;
    if (offset < 0 || static_cast<std::size_t>(offset) >= count * page_bytes) return false;
    const std::size_t which = static_cast<std::size_t>(offset) / page_bytes;
    pid_t nobody = 0;
    opener[which].compare_exchange_strong(nobody, static_cast<pid_t>(syscall(SYS_gettid)));
    open_pages(begin + which * page_bytes, page_bytes);
    return true;
  }
  /// The share of the thread that opened most.
  double largest_share() const {
    std::map<pid_t, std::size_t> pages;
    for (const auto& thread : opener)
      ++pages[thread.load()];
    std::size_t most = 0;
    for (const auto& [thread, pages_of_it] : pages)
      most = std::max(most, pages_of_it);
    return static_cast<double>(most) / static_cast<double>(count);
  }
};

std::vector<Pages*> closed;

bool open_page(void* address) {
  return std::any_of(closed.begin(), closed.end(), [&](Pages* p) { return p->open(address); });
}

class SharedWork : public VariantTest {
protected:
  static std::vector<Shape> shapes(std::string_view algorithm) {
    if (algorithm == "transpose") return {{900, 1100, 1}, {5000, 3001, 1}, {3, 300001, 1}};
    if (algorithm == "yax") return {{1500, 1501, 1}, {2, 1000003, 1}, {300007, 5, 1}};
    if (algorithm == "vector_add") return {{1000003, 1, 1}, {9000001, 1, 1}};
    if (!algorithm.starts_with("average"))
      ADD_FAILURE() << "name here shapes of " << algorithm << " that two threads share";
    return {{64, 100, 301}, {2, 300, 2003}, {20011, 3, 17}};
  }
};

TEST_P(SharedWork, OfTwoThreadsEachHasItsPart) {
  const auto two = open_device_of(variant(), 2);
  two->queue.threads = 2;
  for (const Shape& shape : shapes(algorithm().name)) {
    SCOPED_TRACE(text_of(shape, {}));
    HostData data(problem(shape));
    data.make(DataKind::uniform, 11);
    Workbench bench(*two, data, 1);
    bench.reserve_workspace(variant());
    expect_right_twice(bench, variant().rounding_steps(shape, type(), {}));
    const Array& output = bench.host_output(0);
    const std::size_t bytes = output.extent[0] * output.stride[0] * size_of(type());
    // If threads split the columns, which one opens a row's page is chance; but each has its own
    // pages of the other array.
    const auto share_of_a_run = [&] {
      std::vector<std::unique_ptr<Pages>> arrays;
      for (std::size_t k = 0; k < data.input_count(); ++k)
        if (data.image_bytes(k) >= 64 * page_bytes)
          arrays.push_back(std::make_unique<Pages>(data.image(k), data.image_bytes(k)));
      if (bytes >= 64 * page_bytes) arrays.push_back(std::make_unique<Pages>(output.data, bytes));
      closed.clear();
      for (const auto& array : arrays)
        closed.push_back(array.get());
      {
        const PageFaults faults(open_page);
        bench.run(variant(), 0);
      }
      double least = 1;
      for (const auto& array : arrays)
        least = std::min(least, array->largest_share());
      return least;
    };
    double share =
        // On a busy machine a thread may wait for its core, but not for a second.
        share_of_a_run();
    for (int run = 0; run < 50 && share >= 0.7; ++run) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      share = share_of_a_run();
    }
    EXPECT_LT(share, 0.7);
  }
}

/// Simpler variants of Kokkos leave it to Kokkos, which hands out small parts on demand.
bool is_shared(const VariantCase& c) {
  const std::string_view name = c.variant->name;
  if (c.variant->model == Model::openmp)
    return name == "team" || name == "flat" || name == "m_outer";
  return c.variant->backend == "openmp" && name == "tuned" && c.variant->model == Model::kokkos;
}
ADO_FOR_VARIANTS(SharedWork, is_shared);

} // namespace
} // namespace ado::bench
