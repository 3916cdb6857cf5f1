// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On a CPU no variant reads outside its inputs. Such reads would leave no trace, so the pages
// before or after each input are closed during a run, and an access to them is reported.
#include "closed_pages.hpp"
#include "variant_test.hpp"
#include <ado/bench/data/array_image.hpp>
#include <ado/core/checks.hpp>

#include <csignal>
#include <vector>

namespace ado::bench {
namespace {

/// Whole pages, plus one at each end.
class Fenced {
public:
  explicit Fenced(std::size_t bytes)
      : bytes_(detail::round_up(bytes, page_bytes) + 2 * page_bytes) {
    all_ = static_cast<std::byte*>(
        mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  }
  Fenced(const Fenced&) = delete;
  Fenced& operator=(const Fenced&) = delete;
  ~Fenced() { munmap(all_, bytes_); }
  std::byte* first() const { return all_ + page_bytes; }
  std::byte* end() const { return all_ + bytes_ - page_bytes; }
  void close() {
    close_pages(all_, page_bytes);
    close_pages(end(), page_bytes);
  }
  void open() {
    open_pages(all_, page_bytes);
    open_pages(end(), page_bytes);
  }
  bool fences(const void* address) const {
    return address >= all_ && address < all_ + bytes_ && (address < first() || address >= end());
  }

private:
  std::size_t bytes_;
  std::byte* all_;
};

std::vector<std::unique_ptr<Fenced>> inputs;
volatile std::sig_atomic_t crossed = 0; ///< an input's number, from 1

bool cross(void* address) {
  for (std::size_t k = 0; k < inputs.size(); ++k)
    if (inputs[k]->fences(address)) {
      crossed = static_cast<std::sig_atomic_t>(k + 1);
      inputs[k]->open();
      return true;
    }
  return false;
}

class FencedInputs : public VariantTest {
protected:
  /// Runs it with each input at the start of its first page, or at the end of its last page.
  void expect_within(const Shape& shape, bool at_the_end) {
    inputs.clear();
    const Problem problem_here = problem(shape);
    const auto specs = algorithm().arrays(shape);
    HostData data(problem_here, {}, [&](std::size_t k, std::size_t, const std::string&) {
      const std::size_t bytes = element_count(specs[k]) * size_of(specs[k].type(type()));
      inputs.push_back(std::make_unique<Fenced>(bytes));
      std::byte* const array = at_the_end ? inputs[k]->end() - bytes : inputs[k]->first();
      return DeviceMemory(array - guard_bytes, [](void*) {});
    });
    data.make(DataKind::uniform, 3);
    Workbench bench(device(), data, 1);
    bench.reserve_workspace(variant());
    bench.prepare(variant(), 0, 0);
    crossed = 0;
    {
      const PageFaults faults(cross);
      for (const auto& input : inputs)
        input->close();
      bench.run(variant(), 0);
      device().fence();
      for (const auto& input : inputs)
        input->open();
    }
    EXPECT_EQ(crossed, 0) << "it reads " << (at_the_end ? "behind " : "before ")
                          << specs[crossed == 0 ? 0 : std::size_t(crossed) - 1].name;
    const Check check = bench.verify(0, variant().rounding_steps(shape, type(), {}));
    EXPECT_TRUE(check.ok) << check.first_wrong;
  }
};

TEST_P(FencedInputs, AreReadWithinTheirBounds) {
  if (!device().on_host) GTEST_SKIP() << "compute-sanitizer sees to it on a GPU";
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP()
      << "AddressSanitizer sees to it; words of the instrument's checksum lie at any address here";
#endif
  for (const Shape& shape : edge_shapes()) {
    if (shape[0] * shape[1] * shape[2] > 300'000) continue;
    SCOPED_TRACE(text_of(shape, {}));
    for (const bool at_the_end : {false, true})
      expect_within(shape, at_the_end);
  }
  inputs.clear();
}

bool is_of_numbers(const VariantCase& c) { return c.variant->algorithm != "pipeline"; }
ADO_FOR_VARIANTS(FencedInputs, is_of_numbers);

} // namespace
} // namespace ado::bench
