// stream, kokkos and openmp: copy, scale, add and triad
//   mapping   plain: RangePolicy, an element for each work item; by hand a loop over the elements
//             wide: teams, and packs of numbers, by the words of docs/packs.md
//   bytes     reads each input once, writes the output once
//   teaches   on a GPU a load of four bytes for each thread does not keep memory busy; a pack of 16
//             does, and nothing else changes
#include "stream.hpp"

#include <ado/portable/packs.hpp>
#include <ado/portable/variant.hpp>

#include <algorithm>

namespace stream {

template <class Loop>
std::vector<bench::ArraySpec> arrays(const bench::Shape& s) {
  const bench::Extents n{s[0], 1, 1};
  std::vector<bench::ArraySpec> specs{{"a", 1, n}};
  if (Loop::inputs == 2) specs.push_back({"b", 1, n});
  specs.push_back({"c", 1, n, true});
  return specs;
}

template <class Loop>
double flops(const bench::Shape& s, bench::Type) {
  return Loop::steps * double(s[0]);
}

template <class Loop>
std::unique_ptr<bench::Oracle> oracle(bench::Type type, const bench::Shape& s,
                                      const std::vector<bench::Array>& in) {
  return bench::oracle_of_sums(type, s[0], Loop::inputs,
                               [in]<class T>(bench::OracleSum<T>& sum, std::size_t i) {
                                 const bench::Array &first = in[0], &second = in[Loop::inputs - 1];
                                 const T a = first.as<const T>()[i], b = second.as<const T>()[i];
                                 if constexpr (std::is_same_v<Loop, Scale>)
                                   return sum.add_product(scalar, a);
                                 sum.add(a);
                                 if constexpr (std::is_same_v<Loop, Add>) sum.add(b);
                                 if constexpr (std::is_same_v<Loop, Triad>)
                                   sum.add_product(scalar, b);
                               });
}

template <class Loop>
struct ByHand : Names<Loop> {
  static constexpr std::string_view name = "plain", summary = "one loop";
  static constexpr bench::Model model = bench::Model::openmp;

  template <class T>
  static void run(const bench::Call& call) {
    const Arrays<Loop, T> arrays(call);
#pragma omp parallel for num_threads(call.queue.threads) schedule(static)
    for (std::size_t i = 0; i < arrays.n; ++i)
      arrays.compute(i);
  }
};

template <class Loop, class T>
struct PlainKernel {
  Arrays<Loop, T> arrays;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { arrays.compute(i); }
};

template <class Loop>
struct Plain : Names<Loop> {
  static constexpr std::string_view name = "plain", summary = "an element for each work item";

  template <class Exec>
  static void run(const Exec& exec, const bench::Call& call) {
    using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
    bench::with_real_type(call.type, [&]<class T>(T) {
      Kokkos::parallel_for(std::string(Loop::name), Range(exec, 0, call.shape[0]),
                           PlainKernel<Loop, T>{Arrays<Loop, T>(call)});
    });
  }
};

namespace one = ado::one;

template <class Loop, class Exec, class P>
struct WideKernel {
  using T = typename P::Number;
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  Arrays<Loop, T> arrays;
  std::size_t of_team; ///< packs

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const Arrays<Loop, T> own = arrays;
    const std::size_t packs = own.n / P::size, first = team.league_rank() * of_team;
    const std::size_t mine = Kokkos::min(of_team, packs - first);
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, mine), [&](std::size_t k) {
      const std::size_t i = (first + k) * P::size;
      const P a = one::load<P>(own.a + i);
      const P b = Loop::inputs == 2 ? one::load<P>(own.b + i) : a;
      one::store(own.c + i, Loop::of(a, b, P::of(scalar)));
    });
    if (team.league_rank() != 0) return; // the first team also has what no pack holds
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, own.n % P::size),
                         [&](std::size_t k) { own.compute(packs * P::size + k); });
  }
};

template <class Loop>
struct Wide : Names<Loop> {
  static constexpr std::string_view name = "wide", summary = "a pack for each work item";

  template <class Exec>
  static void run(const Exec& exec, const bench::Call& call) {
    using C = one::Constants<Exec>;
    const auto launch = [&]<class P>(P) {
      const Arrays<Loop, typename P::Number> arrays(call);
      const std::size_t packs = arrays.n / P::size;
      const std::size_t of_team = one::packs_of_team<P>(exec, packs, 1);
      const std::size_t teams = std::max<std::size_t>(1, (packs + of_team - 1) / of_team);
      const Kokkos::TeamPolicy<Exec> policy(exec, int(teams), C::team_threads);
      Kokkos::parallel_for(std::string(Loop::name) + ", wide", policy,
                           WideKernel<Loop, Exec, P>{arrays, of_team});
    };
    bench::with_real_type(call.type, [&]<class T>(T) {
      const Arrays<Loop, T> arrays(call);
      const auto places = reinterpret_cast<std::uintptr_t>(arrays.a) |
                          reinterpret_cast<std::uintptr_t>(arrays.b) |
                          reinterpret_cast<std::uintptr_t>(arrays.c);
      one::with_pack<Exec, T>(arrays.n, places % C::pack_bytes == 0, launch);
    });
  }
};

/// Registers the problem and its variants.
template <class Loop>
struct Registered {
  bench::Registration problem{bench::Algorithm{.name = Loop::name,
                                               .formula = Loop::formula,
                                               .sizes = {{"elements", 'n'}},
                                               .types = bench::real_types,
                                               .default_type = bench::Type::f32,
                                               .arrays = arrays<Loop>,
                                               .flops = flops<Loop>,
                                               .classic = {1 << 27, 1, 1},
                                               .oracle = oracle<Loop>,
                                               .best = "plain",
                                               .ladder = {"plain", "wide"}}};
  bench::HostVariant<ByHand<Loop>> by_hand{__FILE__};
  bench::PortableVariant<Plain<Loop>> plain{__FILE__};
  bench::PortableVariant<Wide<Loop>> wide{__FILE__};
};
const Registered<Copy> copy;
const Registered<Scale> scale;
const Registered<Add> add;
const Registered<Triad> triad;

} // namespace stream
