// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pipeline, serial: result[c][j] = sum over i in the j-th 16 of f(raw[c][i] * gain[c])
//   mapping   one thread, chunk after chunk
//   scratch   none: nothing is copied
//   bytes     reads raw and gain once, writes result once
//   teaches   what is computed. The oracle is different: it knows that f(p) is p times a number
#include <ado/host/variant.hpp>
#include <ado/pipeline/chunks.hpp>

namespace ado::bench {
namespace {

/// The steps of one group side by side, then their sum from the first to the last.
template <class T>
T result_of(const T* raw, T gain, std::size_t count, std::size_t work, T factor) {
  T p[pipeline_group] = {}, r[pipeline_group];
  for (std::size_t i = 0; i < count; ++i)
    p[i] = raw[i] * gain;
  for (std::size_t i = 0; i < pipeline_group; ++i)
    r[i] = p[i];
  for (std::size_t step = 0; step < work; ++step)
    for (std::size_t i = 0; i < pipeline_group; ++i)
      r[i] = r[i] * factor + p[i];
  T sum = 0;
  for (std::size_t i = 0; i < count; ++i)
    sum += r[i];
  return sum;
}

struct Serial : PipelineVariant {
  static constexpr std::string_view name = "serial";
  static constexpr std::string_view summary = "plain loops, nothing is copied";
  static constexpr Model model = Model::serial;

  template <class T>
  static void run(const Call& call) {
    const PipelineChunks<T> stream(call);
    for (std::size_t c = 0; c < stream.chunks; ++c)
      for (std::size_t j = 0; j < stream.results; ++j) {
        const std::size_t first = j * pipeline_group;
        stream.result_of(c)[j] = result_of(stream.raw_of(c) + first, stream.gain[c],
                                           std::min(pipeline_group, stream.elements - first),
                                           stream.work, stream.factor);
      }
  }
  static double rounding_steps(const Shape& shape, Type) {
    return 1 + 2 * static_cast<double>(shape[2]) + static_cast<double>(pipeline_group);
  }
};
const HostVariant<Serial> registered{__FILE__};

} // namespace
} // namespace ado::bench
