// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/tensor/random_tensors.h"

#include <algorithm>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_01.hpp>

namespace jitscope::script {

namespace {

constexpr std::size_t kElementsBetweenPauses = std::size_t{1} << 20U;

template <typename T, typename Draw>
void fill(std::span<T> elements, std::uint64_t seed, Draw draw, const std::function<void()> &pause) {
  boost::random::mt19937_64 generator(seed);
  for (std::size_t begin = 0; begin < elements.size(); begin += kElementsBetweenPauses) {
    for (T &element : elements.subspan(begin, std::min(kElementsBetweenPauses, elements.size() - begin))) {
      element = static_cast<T>(draw(generator));
    }
    pause();
  }
}

template <typename T>
void fillAs(std::span<T> elements, Distribution distribution, std::uint64_t seed, const std::function<void()> &pause) {
  if (distribution == Distribution::Uniform) {
    // In the tensor's own type: a double below 1 may round up to 1 as a float.
    fill(elements, seed, boost::random::uniform_01<T>(), pause);
  } else {
    fill(elements, seed, boost::random::normal_distribution<double>(), pause);
  }
}

} // namespace

void fillRandom(const graph::Tensor &tensor, Distribution distribution, std::uint64_t seed, const std::function<void()> &pause) {
  if (tensor.dtype == graph::DType::F32) {
    fillAs(tensor.elements<float>(), distribution, seed, pause);
  } else {
    fillAs(tensor.elements<double>(), distribution, seed, pause);
  }
}

} // namespace jitscope::script
