// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/core/error.hpp>
#include <ado/harness/measure.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ado {
namespace {

/// A repetition of less than this is as long as the clock's own overhead; such runs are batched.
constexpr double shortest_repetition = 50e-6;
constexpr std::size_t largest_batch = 1000;
/// Repetitions unless --reps says otherwise: at least 10 (a rank test needs 9), but slow variants
/// are left after 3 once they have had ten times --min-time.
constexpr std::size_t usual_reps = 10, fewest_reps = 3, most_reps = 10000;

double steps_of(const Variant& variant, const Problem& problem, bool exact) {
  return exact ? 0 : variant.rounding_steps(problem.shape, problem.type);
}

void judge(Measurement& m, Workbench& bench, const Problem& problem, std::size_t slot, bool exact) {
  m.check = bench.verify(slot, steps_of(*m.variant, problem, exact));
  if (!m.check.ok) m.failure = "WRONG: " + m.check.first_wrong;
}

/// First runs: poisoned, verified, inputs checked, and long enough repetitions found.
void warm_up(Measurement& m, Workbench& bench, const Problem& problem, std::size_t slot,
             const StopRule& stop, bool exact) {
  const auto once = [&] { bench.run(*m.variant, slot); };
  bench.reserve_workspace(*m.variant);
  bench.poison(slot, 0);
  double seconds = bench.device().seconds(once);
  m.ran = true;
  judge(m, bench, problem, slot, exact);
  if (!m.failure.empty()) return;
  if (const std::string input = bench.changed_input(); !input.empty()) {
    m.failure = "WRONG: the input " + input + " was changed";
    return;
  }
  for (std::size_t run = 1; run < stop.warmup; ++run)
    seconds = bench.device().seconds(once);
  if (seconds < shortest_repetition)
    seconds = bench.device().seconds(once); // without first-use costs
  if (seconds < shortest_repetition)
    m.batch = std::min<std::size_t>(
        largest_batch, static_cast<std::size_t>(std::ceil(shortest_repetition / seconds)));
}

/// Whether the next repetition of `m` is to be its last.
bool next_is_last(const Measurement& m, const StopRule& stop) {
  const std::size_t next = m.seconds.size() + 1;
  if (stop.reps) return next >= *stop.reps;
  const double spent =
      std::accumulate(m.seconds.begin(), m.seconds.end(), 0.0) * static_cast<double>(m.batch);
  if (next >= most_reps) return true;
  if (next >= usual_reps && spent >= stop.min_time) return true;
  return next >= fewest_reps && spent >= 10 * stop.min_time;
}

/// Calls `step`, and keeps what it throws as the variant's failure: one case never ends a run.
template <class Step>
void guarded(Measurement& m, Step&& step) {
  if (!m.failure.empty()) return;
  try {
    step();
  } catch (const std::exception& error) {
    m.failure = error.what();
    m.ran = false;
    m.seconds.clear();
  }
}

} // namespace

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  const double place = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  const double fraction = place - static_cast<double>(below);
  return values[below] + fraction * (values[above] - values[below]);
}

std::vector<Measurement> measure(Workbench& bench, const Problem& problem,
                                 const std::vector<const Variant*>& variants, const StopRule& stop,
                                 bool exact) {
  std::vector<Measurement> all(variants.size());
  for (std::size_t slot = 0; slot < all.size(); ++slot) {
    Measurement& m = all[slot];
    m.variant = variants[slot];
    guarded(m, [&] {
      if (!m.variant->types.contains(problem.type))
        throw Error("no " + std::string(name_of(problem.type)) + " in this variant");
      warm_up(m, bench, problem, slot, stop, exact);
    });
  }
  std::vector<bool> done(all.size(), false);
  // The first verified output was poisoned with turn 0; the last must be with turn 1.
  for (unsigned turn = 1; std::count(done.begin(), done.end(), false) > 0; ++turn)
    for (std::size_t slot = 0; slot < all.size(); ++slot) {
      Measurement& m = all[slot];
      if (done[slot]) continue;
      done[slot] = !m.failure.empty() || next_is_last(m, stop);
      guarded(m, [&] {
        bench.poison(slot, done[slot] ? 1 : turn);
        const double seconds = bench.device().seconds([&] {
          for (std::size_t run = 0; run < m.batch; ++run)
            bench.run(*m.variant, slot);
        });
        m.seconds.push_back(seconds / static_cast<double>(m.batch));
        if (!done[slot]) return;
        judge(m, bench, problem, slot, exact);
        if (!m.failure.empty()) m.seconds.clear();
      });
    }
  for (std::size_t slot = 0; slot < all.size(); ++slot)
    guarded(all[slot], [&] {
      if (!bench.device().on_host)
        all[slot].with_transfers = bench.seconds_with_transfers(*all[slot].variant, slot);
    });
  return all;
}

double max_difference(const Array& a, const Array& b, Type type) {
  double largest = 0;
  const auto compare = [&](auto zero) {
    using T = decltype(zero);
    for (std::size_t i = 0; i < a.extent[0]; ++i)
      for (std::size_t j = 0; j < a.extent[1]; ++j) {
        const auto x = static_cast<double>(a.as<const T>()[i * a.stride[0] + j]);
        const auto y = static_cast<double>(b.as<const T>()[i * b.stride[0] + j]);
        if (x == y || (std::isnan(x) && std::isnan(y))) continue;
        const double difference = std::fabs(x - y);
        if (!(difference <= largest)) largest = difference;
      }
  };
  const auto pair_of = [&](Type part) { // complex numbers differ by their parts
    Array x = a, y = b;
    for (Array* array : {&x, &y}) {
      array->extent[1] *= 2;
      array->stride[0] *= 2;
    }
    return max_difference(x, y, part);
  };
  switch (type) {
  case Type::i8:
    compare(std::int8_t{});
    break;
  case Type::i16:
    compare(std::int16_t{});
    break;
  case Type::i32:
    compare(std::int32_t{});
    break;
  case Type::i64:
    compare(std::int64_t{});
    break;
  case Type::f32:
    compare(float{});
    break;
  case Type::f64:
    compare(double{});
    break;
  case Type::c64:
    return pair_of(Type::f32);
  case Type::c128:
    return pair_of(Type::f64);
  }
  return largest;
}

} // namespace ado
