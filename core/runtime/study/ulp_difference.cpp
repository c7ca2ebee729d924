// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/study/ulp_difference.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <boost/math/special_functions/next.hpp>

namespace jitscope::runtime {

namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

template <typename Float> double distance(Float left, Float right) {
  if (left == right || (std::isnan(left) && std::isnan(right))) {
    return 0;
  }
  if (!std::isfinite(left) || !std::isfinite(right)) {
    return kFar;
  }
  return std::abs(static_cast<double>(boost::math::float_distance(left, right)));
}

template <typename Float> double largest(const graph::Tensor &left, const graph::Tensor &right) {
  const std::span<Float> a = left.elements<Float>();
  const std::span<Float> b = right.elements<Float>();
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, distance(a[i], b[i]));
  }
  return most;
}

} // namespace

double maxUlpDifference(std::span<const graph::Tensor> left, std::span<const graph::Tensor> right) {
  if (left.size() != right.size()) {
    return kFar;
  }
  double most = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i].dtype != right[i].dtype || left[i].shape != right[i].shape) {
      return kFar;
    }
    if (left[i].dtype == graph::DType::F32) {
      most = std::max(most, largest<float>(left[i], right[i]));
    } else if (left[i].dtype == graph::DType::F64) {
      most = std::max(most, largest<double>(left[i], right[i]));
    } else {
      const std::size_t bytes = static_cast<std::size_t>(left[i].shape.elementCount()) * graph::byteSize(left[i].dtype);
      const bool areEqual = bytes == 0 || std::memcmp(left[i].buffer->data(), right[i].buffer->data(), bytes) == 0;
      most = areEqual ? most : kFar;
    }
  }
  return most;
}

} // namespace jitscope::runtime
