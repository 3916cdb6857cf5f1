// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A public function on Views like a user's: subviews of both layouts, any strides, any alignment.
// Its docstring says what it promises, the error bound included.
#include "draw.hpp"
#include <ado/ado.hpp>
#include <ado/bench/data/array_image.hpp>
#include <ado/bench/data/data.hpp>
#include <ado/registry/registry.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>

namespace battery {
namespace {

using namespace ado;
using namespace ado::bench;
using Exec = Kokkos::DefaultExecutionSpace;
using Space = Exec::memory_space;
using Bytes = Kokkos::View<unsigned char*, Space>;
template <class Layout, class Data>
using Unmanaged = Kokkos::View<Data, Layout, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

template <class T>
constexpr Type type_of = sizeof(T) == 1                               ? Type::i8
                         : sizeof(T) == 2                             ? Type::i16
                         : std::is_same_v<T, float>                   ? Type::f32
                         : std::is_same_v<T, double>                  ? Type::f64
                         : std::is_same_v<T, Kokkos::complex<double>> ? Type::c128
                         : sizeof(T) == 4                             ? Type::i32
                                                                      : Type::i64;

/// A user's array: elements (i, j, k) at offset + i * stride[0] + j * stride[1] + k * stride[2],
/// and a pattern everywhere else.
template <class T>
class Strided {
public:
  /// `order` lists the extents from the innermost on. Gaps are drawn between rows and planes, which
  /// are at least `least` elements apart.
  Strided(Draw& draw, const Extents& extent, const std::vector<int>& order, std::size_t innermost,
          std::size_t least = 1)
      : extent_(extent), offset_(draw.gap(0, sizeof(T))) {
    std::size_t apart = innermost;
    for (const int dimension : order) {
      stride_[std::size_t(dimension)] = apart;
      apart = std::max(apart * extent[std::size_t(dimension)], least);
      apart += draw.gap(apart, sizeof(T));
    }
    image_.resize(round_up((offset_ + apart + draw.below(20)) * sizeof(T), 8));
    device_ = Bytes(Kokkos::view_alloc("battery", Kokkos::WithoutInitializing), image_.size());
  }

  const Extents& extent() const { return extent_; }
  std::size_t stride(int dimension) const { return stride_[std::size_t(dimension)]; }
  T* data() const { return reinterpret_cast<T*>(device_.data()) + offset_; }
  std::string text() const {
    std::string text = " at " + std::to_string(offset_) + " by";
    for (std::size_t d = 0; d < 3; ++d)
      if (extent_[d] != 1) text += " " + std::to_string(stride_[d]);
    return text;
  }

  /// Fills all memory with `pattern`, then sets the elements to `values`, row-major, unless null.
  void send(std::uint64_t pattern, const T* values) {
    for (std::size_t k = 0; k < image_.size(); k += 8)
      std::memcpy(image_.data() + k, &pattern, 8);
    if (values != nullptr) each([&](T& element) { element = *values++; });
    Kokkos::deep_copy(device_, host());
  }
  /// Whether the device still holds what was sent.
  bool is_unchanged() const {
    const std::vector<unsigned char> now = fetched();
    return now == image_;
  }
  /// Gets the elements, row-major; returns whether nothing else was written.
  bool fetch(std::vector<T>& values) {
    std::vector<unsigned char> now = fetched();
    std::swap(now, image_);
    values.clear();
    each([&](T& element) { values.push_back(element); });
    std::swap(now, image_); // what was sent, with the fetched elements
    const T* value = values.data();
    each([&](T& element) { element = *value++; });
    return now == image_;
  }

private:
  template <class F>
  void each(const F& f) {
    T* const first = reinterpret_cast<T*>(image_.data()) + offset_;
    for (std::size_t i = 0; i < extent_[0]; ++i)
      for (std::size_t j = 0; j < extent_[1]; ++j)
        for (std::size_t k = 0; k < extent_[2]; ++k)
          f(first[i * stride_[0] + j * stride_[1] + k * stride_[2]]);
  }
  auto host() {
    return Kokkos::View<unsigned char*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
        image_.data(), image_.size());
  }
  std::vector<unsigned char> fetched() const {
    std::vector<unsigned char> now(image_.size());
    Kokkos::deep_copy(
        Kokkos::View<unsigned char*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
            now.data(), now.size()),
        device_);
    return now;
  }

  Extents extent_, stride_{1, 1, 1};
  std::size_t offset_;
  std::vector<unsigned char> image_;
  Bytes device_;
};

/// Sometimes part of a square, so that its leading dimension is its other extent.
template <class T>
Strided<T> matrix(Draw& draw, std::size_t rows, std::size_t columns) {
  const bool by_columns = draw.one_in(3);
  const std::size_t side = std::max({rows, columns, std::size_t{1}});
  const std::size_t least = side <= 2000 && draw.one_in(3) ? side : 1;
  return {draw, {rows, columns, 1}, by_columns ? std::vector{0, 1} : std::vector{1, 0}, 1, least};
}
template <class T>
Strided<T> vector(Draw& draw, std::size_t n) {
  return {draw, {n, 1, 1}, {0}, 1};
}
/// Mostly contiguous along its last extent.
template <class T>
Strided<T> sets(Draw& draw, const Extents& extent) {
  std::vector<int> order{2, 1, 0};
  if (draw.one_in(3)) std::next_permutation(order.begin(), order.end(), std::greater<>());
  while (draw.one_in(3))
    if (!std::prev_permutation(order.begin(), order.end())) break;
  return {draw, extent, order, draw.one_in(8) ? 1 + draw.below(3) : 1};
}

/// Calls f with a View of the matrix: with its named layout if `named` and it has one, or strided.
template <class T, class Element, class F>
void with_matrix(bool named, const Strided<Element>& m, const F& f) {
  const auto [rows, columns, one] = m.extent();
  const std::size_t down = m.stride(0), right = m.stride(1);
  using Pair = Kokkos::pair<std::size_t, std::size_t>;
  if (named && right == 1 && down >= columns)
    f(Kokkos::subview(Unmanaged<Kokkos::LayoutRight, T**>(m.data(), rows, down), Pair(0, rows),
                      Pair(0, columns)));
  else if (named && down == 1 && right >= rows)
    f(Kokkos::subview(Unmanaged<Kokkos::LayoutLeft, T**>(m.data(), right, columns), Pair(0, rows),
                      Pair(0, columns)));
  else
    f(Unmanaged<Kokkos::LayoutStride, T**>(m.data(),
                                           Kokkos::LayoutStride(rows, down, columns, right)));
}

/// One call: makes and sends its inputs, and checks its output.
template <class T>
class Call {
public:
  Call(Draw& draw, std::string_view algorithm, const Shape& shape, double steps)
      : algorithm_(*find_algorithm(algorithm)),
        shape_(shape),
        seed_(draw.word()),
        tolerance_(steps),
        text_("ado::" + std::string(algorithm) + " " + std::string(name_of(type))) {
    for (std::size_t k = 0; k < algorithm_.sizes.size(); ++k)
      text_ += (k == 0 ? " " : "x") + std::to_string(shape[k]);
    if (algorithm_.witness == nullptr || draw.one_in(3)) return;
    witness_ = algorithm_.witness(shape, type);
    if (!witness_) return;
    if (witness_->exact) tolerance_ = 0;
    tolerance_.at_most = witness_->step / 2;
  }
  void input(Strided<T>& array) {
    const std::size_t k = values_.size();
    const Extents& e = array.extent();
    std::vector<T>& values = values_.emplace_back(e[0] * e[1] * e[2]);
    const std::string_view name = algorithm_.arrays(shape_)[k].name;
    if (witness_)
      fill_whole_numbers(values.data(), type, values.size(), witness_->largest, seed_, name);
    else
      fill_data(values.data(), type, values.size(), DataKind::uniform, seed_, name);
    array.send(workspace_pattern, values.data());
    inputs_.push_back(&array);
    text_ += "," + array.text();
  }
  /// `run` computes the output.
  template <class Run>
  Outcome output(Strided<T>& array, const Run& run) {
    array.send(poison(type, 0), nullptr);
    text_ += "," + array.text() + (witness_ ? "" : ", uniform");
    Outcome outcome{text_, ""};
    try {
      run();
      Kokkos::fence("battery");
      outcome.wrong = judge(array);
    } catch (const std::exception& error) {
      outcome.wrong = error.what();
    }
    return outcome;
  }

private:
  static constexpr Type type = type_of<T>;

  std::string judge(Strided<T>& output) {
    for (std::size_t k = 0; k < inputs_.size(); ++k)
      if (!inputs_[k]->is_unchanged()) return "input " + std::to_string(k) + " was changed";
    std::vector<T> result;
    if (!output.fetch(result)) return "memory beside the output was overwritten";
    const std::vector<ArraySpec> specs = algorithm_.arrays(shape_);
    std::vector<Array> inputs;
    for (std::size_t k = 0; k < values_.size(); ++k)
      inputs.push_back(packed_array(values_[k].data(), specs[k].extent));
    const Check check = algorithm_.oracle(type, shape_, inputs)
                            ->check(packed_array(result.data(), specs.back().extent), tolerance_);
    return check.ok ? "" : check.first_wrong;
  }

  const Algorithm& algorithm_;
  Shape shape_;
  std::uint64_t seed_;
  Tolerance tolerance_;
  std::optional<Witness> witness_;
  std::vector<std::vector<T>> values_;
  std::vector<const Strided<T>*> inputs_;
  std::string text_;
};

/// With an instance and a workspace that earlier cases have used, with an instance, or with
/// neither.
template <class F>
void call(Draw& draw, const F& f) {
  static Workspace<Exec>* const kept = [] {
    auto* const made = new Workspace<Exec>;
    Kokkos::push_finalize_hook([made] { delete made; });
    return made;
  }();
  switch (draw.below(3)) {
  case 0:
    return f(std::true_type(), *kept);
  case 1:
    return f(std::true_type());
  default:
    return f(std::false_type());
  }
}

/// Mostly at most 2^16 elements.
Shape draw_shape(Draw& draw, std::size_t sizes) {
  return draw.shape(sizes, 6, [&](const Shape& shape, unsigned bits) {
    std::size_t elements = 1;
    for (const std::size_t n : shape)
      elements *= std::max<std::size_t>(n, 1);
    return elements > std::size_t{1} << (16 + bits);
  });
}

template <class T>
Outcome run_average(Draw& draw) {
  const Shape shape = draw_shape(draw, 3);
  Call<T> of(draw, "average", shape, double(shape[2] + 48));
  auto v = sets<T>(draw, shape);
  auto mean = matrix<T>(draw, shape[0], shape[1]);
  of.input(v);
  return of.output(mean, [&] {
    with_matrix<T>(draw.one_in(2), mean, [&](const auto& out) {
      const Unmanaged<Kokkos::LayoutStride, const T***> in(
          v.data(), Kokkos::LayoutStride(shape[0], v.stride(0), shape[1], v.stride(1), shape[2],
                                         v.stride(2)));
      call(draw, [&](auto with_exec, auto&... workspace) {
        if constexpr (with_exec)
          ado::average(Exec(), in, out, workspace...);
        else
          ado::average(in, out);
      });
    });
  });
}

template <class T>
Outcome run_average_mv(Draw& draw) {
  Shape shape = draw_shape(draw, 3);
  while (std::max<std::size_t>(shape[0], 1) * shape[1] * shape[1] > std::size_t{1} << 24)
    shape[1] /= 2;
  Call<T> of(draw, "average_mv", shape, double(shape[2] + 2 * shape[1] + 64));
  auto v = sets<T>(draw, shape);
  auto a = matrix<T>(draw, shape[1], shape[1]), y = matrix<T>(draw, shape[1], shape[0]);
  of.input(v);
  of.input(a);
  return of.output(y, [&] {
    const bool named = draw.one_in(2);
    with_matrix<const T>(named, a, [&](const auto& factor) {
      with_matrix<T>(named, y, [&](const auto& out) {
        const Unmanaged<Kokkos::LayoutStride, const T***> in(
            v.data(), Kokkos::LayoutStride(shape[0], v.stride(0), shape[1], v.stride(1), shape[2],
                                           v.stride(2)));
        call(draw, [&](auto with_exec, auto&... workspace) {
          if constexpr (with_exec)
            ado::average_mv(Exec(), in, factor, out, workspace...);
          else
            ado::average_mv(in, factor, out);
        });
      });
    });
  });
}

template <class T>
Outcome run_transpose(Draw& draw) {
  const Shape shape = draw_shape(draw, 2);
  Call<T> of(draw, "transpose", shape, 0);
  auto a = matrix<T>(draw, shape[0], shape[1]), b = matrix<T>(draw, shape[1], shape[0]);
  of.input(a);
  return of.output(b, [&] {
    with_matrix<const T>(draw.one_in(2), a, [&](const auto& in) {
      with_matrix<T>(draw.one_in(2), b, [&](const auto& out) {
        draw.one_in(2) ? ado::transpose(Exec(), in, out) : ado::transpose(in, out);
      });
    });
  });
}

template <class T>
Outcome run_vector_add(Draw& draw) {
  const Shape shape = draw_shape(draw, 1);
  Call<T> of(draw, "vector_add", shape, 1);
  auto a = vector<T>(draw, shape[0]), b = vector<T>(draw, shape[0]), c = vector<T>(draw, shape[0]);
  of.input(a);
  of.input(b);
  return of.output(c, [&] {
    using In = Unmanaged<Kokkos::LayoutRight, const T*>;
    const In left(a.data(), shape[0]), right(b.data(), shape[0]);
    const Unmanaged<Kokkos::LayoutRight, T*> sum(c.data(), shape[0]);
    draw.one_in(2) ? ado::vector_add(Exec(), left, right, sum) : ado::vector_add(left, right, sum);
  });
}

template <class T>
Outcome run_yax(Draw& draw) {
  const Shape shape = draw_shape(draw, 2);
  Call<T> of(draw, "yax", shape, double(shape[0] + shape[1] + 64));
  auto y = vector<T>(draw, shape[0]), x = vector<T>(draw, shape[1]), result = vector<T>(draw, 1);
  auto a = matrix<T>(draw, shape[0], shape[1]);
  of.input(y);
  of.input(a);
  of.input(x);
  return of.output(result, [&] {
    with_matrix<const T>(draw.one_in(2), a, [&](const auto& factor) {
      using In = Unmanaged<Kokkos::LayoutRight, const T*>;
      const In left(y.data(), shape[0]), right(x.data(), shape[1]);
      const Unmanaged<Kokkos::LayoutRight, T> out(result.data());
      call(draw, [&](auto with_exec, auto&... workspace) {
        if constexpr (with_exec)
          ado::yax(Exec(), left, factor, right, out, workspace...);
        else
          ado::yax(left, factor, right, out);
      });
    });
  });
}

} // namespace

Outcome run_on_views(Draw& draw) {
  const std::vector<Outcome (*)(Draw&)> calls{run_average<float>,
                                              run_average<double>,
                                              run_average_mv<float>,
                                              run_average_mv<double>,
                                              run_transpose<std::int8_t>,
                                              run_transpose<std::int16_t>,
                                              run_transpose<float>,
                                              run_transpose<double>,
                                              run_transpose<Kokkos::complex<double>>,
                                              run_vector_add<float>,
                                              run_vector_add<double>,
                                              run_vector_add<std::int32_t>,
                                              run_vector_add<std::int64_t>,
                                              run_yax<float>,
                                              run_yax<double>};
  return draw.of(calls)(draw);
}

} // namespace battery
