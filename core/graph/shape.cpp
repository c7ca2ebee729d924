// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/shape.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace jitscope::graph {

Shape::Shape(std::initializer_list<std::int64_t> sizes) : Shape(std::span(sizes.begin(), sizes.size())) {}

Shape::Shape(std::span<const std::int64_t> sizes) : m_rank(static_cast<std::uint8_t>(std::min(sizes.size(), kMaxRank))) {
  std::copy_n(sizes.begin(), m_rank, m_sizes.begin());
}

Shape Shape::dynamic(std::size_t rank) {
  Shape shape;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    shape.append(kDynamic);
  }
  return shape;
}

bool Shape::isStatic() const {
  return std::ranges::none_of(sizes(), [](std::int64_t size) { return size == kDynamic; });
}

std::int64_t Shape::elementCount() const {
  std::int64_t count = 1;
  for (const std::int64_t size : sizes()) {
    count *= size;
  }
  return count;
}

bool operator==(const Shape &left, const Shape &right) { return std::ranges::equal(left.sizes(), right.sizes()); }

std::string toString(const Shape &shape) {
  std::string text = "[";
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    if (axis != 0) {
      text += ',';
    }
    text += shape[axis] == kDynamic ? "?" : std::to_string(shape[axis]);
  }
  return text + "]";
}

std::string toString(const TensorType &type) {
  if (type.weak) {
    return isFloat(type.dtype) ? "float" : "integer";
  }
  return fmt::format("{}{}", nameOf(type.dtype), toString(type.shape));
}

base::Result<std::int64_t> checkedByteSize(DType dtype, const Shape &shape) {
  auto bytes = static_cast<std::int64_t>(byteSize(dtype));
  bool overflow = false;
  bool empty = false;
  for (const std::int64_t size : shape.sizes()) {
    if (size < 0) {
      return base::fail(base::ErrorCode::ScriptShape, fmt::format("a size is negative in shape {}", toString(shape)));
    }
    empty = empty || size == 0;
    overflow = overflow || __builtin_mul_overflow(bytes, std::max<std::int64_t>(size, 1), &bytes);
  }
  if (overflow) {
    return base::fail(base::ErrorCode::ScriptShape,
                      fmt::format("{}{} has more bytes than a 64-bit number can count", nameOf(dtype), toString(shape)));
  }
  return empty ? 0 : bytes;
}

} // namespace jitscope::graph
