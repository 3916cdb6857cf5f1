// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/guard/kernel_guard.hpp>
#include <ado/bench/io/files.hpp>
#include <ado/bench/io/npy.hpp>
#include <ado/bench/measure/measure.hpp>
#include <ado/bench/ranks/ranks.hpp>
#include <ado/bench/run/case_benches.hpp>
#include <ado/bench/run/journal_row.hpp>
#include <ado/bench/stream/streamed_bench.hpp>
#include <ado/core/error.hpp>

#include <functional>

namespace ado::bench {
namespace {

using See = std::function<Seen(const Variant&, const Launch&)>;

/// Calls `work` for a case that reads slices of files in each run. A bad file then fails this case
/// alone, here as well as there.
template <class Work>
auto failing_alone(const Work& work) {
  try {
    return work();
  } catch (const InputError& error) {
    throw Error(error.what());
  }
}

/// Opens one case.
class CaseOpener {
public:
  CaseOpener(const Case& c, std::size_t first, const Options& options, Device& device,
             Device& reference_device)
      : case_(c),
        first_(first),
        options_(options),
        device_(device),
        reference_device_(reference_device),
        reference_(reference_variant(c, options, reference_device)),
        random_bits_(options.data == DataKind::uniform && c.files.path.empty()) {
    to_.seen.resize(c.rows.size());
  }

  CaseBenches in_slices() {
    if (!options_.stop.skip_verification) see_slice();
    together([&] {
      failing_alone([&] {
        to_.streamed = std::make_unique<StreamedData>(
            device_, case_.problem, stream_limits(device_), case_.files.path, variants_of(case_));
        to_.streamed->load(options_.data, options_.seed);
      });
    });
    if (reference_ != nullptr)
      to_.reference = std::make_unique<StreamedBench>(reference_device_, *to_.streamed, 1);
    together([&] { to_.bench = std::make_unique<StreamedBench>(device_, *to_.streamed, 2); });
    return std::move(to_);
  }

  CaseBenches whole() {
    together([&] { to_.whole = std::make_unique<HostData>(case_.problem); });
    HostData& data = *to_.whole;
    const bool looks = !options_.stop.skip_verification;
    const WitnessInputs inputs(case_.problem, random_bits_);
    const auto load = [&] { together([&] { load_data(data, case_, options_); }); };
    if (!looks || !case_.files.path.empty()) load(); // a bad file fails before any kernel runs
    if (looks) inputs.fill(data);
    const bool runs = looks && !ranks().any(!data.mistake().empty());
    if (looks && !runs) load(); // no made inputs fit: nothing runs on others
    std::unique_ptr<Workbench> reference, bench;
    if (reference_ != nullptr) reference = std::make_unique<Workbench>(reference_device_, data, 1);
    together([&] { bench = std::make_unique<Workbench>(device_, data, 2); });
    const auto see_in = [&](const std::unique_ptr<Workbench>& in) -> See {
      return [&](const Variant& v, const Launch& l) {
        return runs ? inputs.see(data, *in, v, l, load) : inputs.known(v);
      };
    };
    if (looks) {
      see_reference(see_in(reference));
      see_rows(see_in(bench));
    }
    if (runs) {
      load();
      if (reference) reference->renew_inputs();
      bench->renew_inputs();
    }
    to_.reference = std::move(reference);
    to_.bench = std::move(bench);
    return std::move(to_);
  }

private:
  void see_slice() {
    const Problem slice = failing_alone([&] {
      return cut_into_slices(case_.problem, stream_limits(device_),
                             sources_of(case_.problem, case_.files.path), variants_of(case_))
          .largest();
    });
    see_reference([&](const Variant& v, const Launch& l) {
      return WitnessBench(reference_device_, slice, random_bits_).see(v, l);
    });
    const auto bench =
        together([&] { return std::make_unique<WitnessBench>(device_, slice, random_bits_); });
    see_rows([&](const Variant& v, const Launch& l) { return bench->see(v, l); });
  }

  void see_reference(const See& see) {
    enter_row(row_name(case_.problem, "reference"));
    if (reference_ != nullptr) to_.seen_reference = {see(*reference_, {})};
  }

  void see_rows(const See& see) {
    for (std::size_t k = first_; k < case_.rows.size() && interrupted_anywhere() == 0; ++k) {
      const Row& row = case_.rows[k];
      enter_row(row_name(case_.problem, row.name));
      for (const Variant* variant : variants_of(row))
        to_.seen[k].push_back(see(*variant, taken_by(*variant, row.launch)));
    }
    enter_row("");
  }

  const Case& case_;
  std::size_t first_;
  const Options& options_;
  Device &device_, &reference_device_;
  const Variant* reference_;
  bool random_bits_;
  CaseBenches to_;
};

} // namespace

void load_data(HostData& data, const Case& c, const Options& options) {
  data.make(options.data, options.seed);
  for (std::size_t k = 0; k < data.input_count(); ++k) {
    const auto file = c.files.path.find(std::string(data.specs()[k].name));
    if (file != c.files.path.end()) data.read(k, file->second, read_npy_header(file->second));
  }
  if (!c.files.path.empty()) data.check();
}

const Variant* reference_variant(const Case& c, const Options& options, const Device& device) {
  const std::optional<ReferenceSpec>& wanted = options.reference;
  if (!wanted) return nullptr;
  return find_variant(c.problem.algorithm->name, wanted->model, wanted->variant, device.backend);
}

CaseBenches open_case(const Case& c, std::size_t first, const Options& options, Device& device,
                      Device& reference_device) {
  CaseOpener opener(c, first, options, device, reference_device);
  return is_streamed(c.problem, device) ? opener.in_slices() : opener.whole();
}

} // namespace ado::bench
