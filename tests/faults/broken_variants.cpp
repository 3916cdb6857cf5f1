// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variants of yax that the mini-app must catch: wrong ones, by hand and as if portable, one that is
// wrong once, one that writes nothing, and one that throws. One of average is wrong on one rank,
// one of yax in one process.
#include <ado/core/error.hpp>
#include <ado/registry/registry.hpp>

#include <cstdlib>
#include <string_view>

namespace ado::bench {
namespace {

double no_roundings(const Shape&, Type, const Launch&) { return 0; }

void wrong(const Call& call) {
  with_real_type(call.type, [&](auto zero) { *call.arrays[3].as<decltype(zero)>() = 12345; });
}
void idle(const Call&) {}
void run_serial(std::string_view algorithm, const Call& call) {
  for (const Variant& v : variants())
    if (v.algorithm == algorithm && v.model == Model::serial) v.run(call);
}
void right(const Call& call) { run_serial("yax", call); }
/// In a timed run. Each rank has sets of its own, so no other one sees what is wrong there.
void wrong_on_rank_1(const Call& call) {
  static int runs = 0;
  run_serial("average", call);
  if (++runs < 4) return;
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMI_RANK"})
    if (const char* rank = std::getenv(variable); rank != nullptr && std::string_view(rank) == "1")
      with_real_type(call.type, [&](auto zero) { *call.arrays[1].as<decltype(zero)>() += 1; });
}
/// In a timed run of the fourth process of --processes.
void wrong_in_process_4(const Call& call) {
  static int runs = 0;
  run_serial("yax", call);
  const char* process = std::getenv("ADO_ONE_OF_PROCESSES");
  if (++runs >= 4 && process != nullptr && std::string_view(process).ends_with("/3"))
    with_real_type(call.type, [&](auto zero) { *call.arrays[3].as<decltype(zero)>() += 1; });
}
/// Right except in its fifth run, among the timed ones.
void spoilt(const Call& call) {
  static int runs = 0;
  right(call);
  if (++runs == 5)
    with_real_type(call.type, [&](auto zero) { *call.arrays[3].as<decltype(zero)>() += 1; });
}
void failing(const Call&) { throw Error("this variant never runs"); }

Variant variant(std::string_view name, Model model, std::string_view backend,
                void (*run)(const Call&)) {
  return {"yax",    name, model,       backend, real_types, "broken on purpose",
          __FILE__, run,  no_roundings};
}

double sums(const Shape& shape, Type, const Launch&) { return double(shape[2]) + 1; }
double products(const Shape& shape, Type, const Launch&) { return double(shape[0] + shape[1] + 2); }

const Registration registered[]{
    Registration(Variant{"average", "one_rank", Model::vendor, host_backend, real_types,
                         "broken on purpose", __FILE__, wrong_on_rank_1, sums}),
    Registration(Variant{"yax", "one_process", Model::vendor, host_backend, real_types,
                         "broken on purpose", __FILE__, wrong_in_process_4, products}),
    Registration(variant("wrong", Model::vendor, host_backend, wrong)),
    Registration(variant("wrong_portable", Model::kokkos, "openmp", wrong)),
    Registration(variant("wrong_portable", Model::kokkos, "serial", wrong)),
    Registration(variant("spoilt", Model::kokkos, "openmp", right)),
    Registration(variant("spoilt", Model::openmp, "openmp", spoilt)),
    Registration(variant("idle", Model::vendor, host_backend, idle)),
    Registration(variant("failing", Model::vendor, host_backend, failing)),
};

} // namespace
} // namespace ado::bench
