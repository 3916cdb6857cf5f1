// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variants of yax that fault or hang, as if portable: the mini-app must continue after them.
// ADO_FAULT_AT=N: in their N-th run, from 1; before that they are right. On a GPU the kernels do
// it.
#include <ado/registry/registry.hpp>
#include <ado/registry/sum_oracle.hpp>

#include <Kokkos_Core.hpp>
#include <omp.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <vector>

namespace ado::bench {
namespace {

volatile int zero = 0, number = 7; ///< the compiler must not know them
volatile int* volatile nowhere = nullptr;

const Variant& right_one() {
  return *std::find_if(variants().begin(), variants().end(), [](const Variant& v) {
    return v.algorithm == "yax" && v.model == Model::serial;
  });
}

/// Recurses until the stack is used up.
[[gnu::noinline]] int deeper(int level) {
  volatile char frame[512];
  frame[0] = static_cast<char>(level);
  return number == 0 ? 0 : deeper(level + 1) + frame[0];
}

void fault_on_host(std::string_view how) {
  if (how == "segmentation_fault") *nowhere = 1;
  if (how == "in_a_thread") {
#pragma omp parallel
    *nowhere = 1;
  }
  if (how == "stack_overflow") {
    rlimit stack{};
    getrlimit(RLIMIT_STACK, &stack);
    stack.rlim_cur = std::min(stack.rlim_cur, rlim_t{8} << 20); // some machines have no limit
    setrlimit(RLIMIT_STACK, &stack);
    number = deeper(0);
  }
  if (how == "stack_of_a_thread") {
#pragma omp parallel
    if (omp_get_thread_num() == omp_get_num_threads() - 1) number = deeper(0);
  }
  if (how == "division") zero = number / zero;
  if (how == "abort") std::abort();
  if (how == "bus_error") std::raise(SIGBUS);
  if (how == "illegal_instruction") std::raise(SIGILL);
  if (how == "of_kokkos") {
    std::cerr << "a word of the kernel\n";
    Kokkos::abort("View bounds error of view a");
  }
  if (how == "exception") {
#pragma omp parallel
    throw std::runtime_error("thrown by a thread");
  }
  if (how == "endless")
    while (zero == 0) {
    }
}

constexpr std::string_view host_faults[] = {
    "stack_overflow", "stack_of_a_thread", "segmentation_fault",  "in_a_thread", "division",
    "abort",          "bus_error",         "illegal_instruction", "of_kokkos",   "exception",
    "endless"};

template <std::size_t which>
void faulting(const Call& call) {
  static int runs = 0;
  const char* at = std::getenv("ADO_FAULT_AT");
  if (++runs < (at == nullptr ? 1 : std::atoi(at))) return right_one().run(call);
  fault_on_host(host_faults[which]);
}

Variant variant(std::string_view name, Model model, std::string_view backend,
                void (*run)(const Call&)) {
  return {"yax",
          name,
          model,
          backend,
          real_types,
          "faults on purpose",
          __FILE__,
          run,
          [](const Shape& shape, Type type, const Launch& launch) {
            return right_one().rounding_steps(shape, type, launch);
          }};
}

template <std::size_t which = 0>
void register_host_faults() {
  if constexpr (which < std::size(host_faults)) {
    for (const char* backend : {"openmp", "serial", "cuda"})
      Registration(variant(host_faults[which], Model::kokkos, backend, faulting<which>));
    register_host_faults<which + 1>();
  }
}
const bool registered = (register_host_faults(), true);

/// All of its variants fault, for the selftest.
const Registration of_copies(Algorithm{
    .name = "faulty_copy",
    .formula = "b[i] = a[i]",
    .sizes = {{"elements", 'n'}},
    .types = real_types,
    .default_type = Type::f64,
    .arrays =
        [](const Shape& s) {
          return std::vector<ArraySpec>{{"a", 1, {s[0], 1, 1}}, {"b", 1, {s[0], 1, 1}, true}};
        },
    .flops = [](const Shape&, Type) { return 0.0; },
    .oracle =
        [](Type type, const Shape& s, const std::vector<Array>& in) {
          return oracle_of_sums(type, s[0], 1, [in]<class T>(OracleSum<T>& sum, std::size_t i) {
            sum.add(in[0].as<const T>()[i]);
          });
        },
});
Variant of_copy(std::string_view backend) {
  Variant v = variant("team", Model::kokkos, backend, [](const Call&) { *nowhere = 1; });
  v.algorithm = "faulty_copy";
  return v;
}
const Registration copies[]{Registration(of_copy("openmp")), Registration(of_copy("serial")),
                            Registration(of_copy("cuda"))};

#ifdef KOKKOS_ENABLE_CUDA
/// A kernel of one thread, on the call's stream.
template <class Work>
void launch(const Call& call, const Work& work) {
  const auto& instance = *static_cast<const Kokkos::Cuda*>(call.queue.instance);
  Kokkos::parallel_for("faulting", Kokkos::RangePolicy<Kokkos::Cuda>(instance, 0, 1), work);
}
struct IllegalAddress {
  KOKKOS_FUNCTION void operator()(int) const { *reinterpret_cast<volatile int*>(64) = 1; }
};
struct Misaligned {
  char* memory;
  KOKKOS_FUNCTION void operator()(int) const {
    *reinterpret_cast<volatile double*>(memory + 1) = 1;
  }
};
struct Trap {
  KOKKOS_FUNCTION void operator()(int) const { KOKKOS_IF_ON_DEVICE(__trap();) }
};
struct Endless {
  const volatile double* input;
  KOKKOS_FUNCTION void operator()(int) const {
    while (*input < 1e300) {
    }
  }
};
void illegal_address(const Call& call) { launch(call, IllegalAddress{}); }
void misaligned(const Call& call) { launch(call, Misaligned{call.arrays[3].as<char>()}); }
void trap(const Call& call) { launch(call, Trap{}); }
void endless_kernel(const Call& call) {
  launch(call, Endless{static_cast<const double*>(call.arrays[0].data)});
}
/// Kokkos notices first, and ends the program.
void illegal_and_fenced(const Call& call) {
  illegal_address(call);
  Kokkos::fence();
}
const Registration on_gpu[]{
    Registration(variant("illegal_address", Model::kokkos, "cuda", illegal_address)),
    Registration(variant("illegal_and_fenced", Model::kokkos, "cuda", illegal_and_fenced)),
    Registration(variant("misaligned", Model::kokkos, "cuda", misaligned)),
    Registration(variant("trap", Model::kokkos, "cuda", trap)),
    Registration(variant("endless_kernel", Model::kokkos, "cuda", endless_kernel)),
};
/// On several ranks, only rank 1 faults.
template <void (*run)(const Call&)>
Variant on_ranks(std::string_view name) {
  Variant v = variant(name, Model::kokkos, "cuda", [](const Call& call) {
    const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
    if (rank == nullptr) rank = std::getenv("PMI_RANK");
    if (rank != nullptr && std::string_view(rank) == "1") run(call);
  });
  v.on_ranks = true;
  v.rounding_steps = [](const Shape&, Type, const Launch&) { return 1.0; };
  return v;
}
const Registration on_gpus[]{Registration(on_ranks<illegal_address>("illegal_address")),
                             Registration(on_ranks<endless_kernel>("endless_kernel"))};
#endif

} // namespace
} // namespace ado::bench
