// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/tensor/tensor_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace jitscope::script {

using graph::DType;

namespace {

/// So many elements of the innermost axis are shown, and so many of each outer one.
constexpr std::int64_t kInnerShown = 3;
constexpr std::int64_t kOuterShown = 1;
/// A tensor with no more elements than this is shown whole.
constexpr std::int64_t kShownWhole = 8;

class HeadWriter {
public:
  explicit HeadWriter(const graph::Tensor &tensor) : m_tensor(tensor), m_isWhole(tensor.shape.elementCount() <= kShownWhole) {}

  /// The part of the tensor below `axis` that begins at `offset`; `stride` elements lie below one step of the axis before.
  void write(std::size_t axis, std::int64_t offset, std::int64_t stride) {
    if (axis == m_tensor.shape.rank()) {
      m_text += elementText(m_tensor, offset);
      return;
    }
    const std::int64_t size = m_tensor.shape[axis];
    const std::int64_t inner = size == 0 ? 0 : stride / size;
    const bool isInnermost = axis + 1 == m_tensor.shape.rank();
    const std::int64_t shown = m_isWhole ? size : std::min(size, isInnermost ? kInnerShown : kOuterShown);
    m_text += '{';
    for (std::int64_t i = 0; i < shown; ++i) {
      m_text += i == 0 ? "" : ", ";
      write(axis + 1, offset + i * inner, inner);
    }
    if (shown < size) {
      m_text += shown == 0 ? "..." : ", ...";
    }
    m_text += '}';
  }

  std::string take() { return std::move(m_text); }

private:
  const graph::Tensor &m_tensor;
  bool m_isWhole;
  std::string m_text;
};

} // namespace

graph::Number numberOf(const Element &element) {
  if (const auto *truth = std::get_if<bool>(&element)) {
    return std::int64_t{*truth};
  }
  const auto *fraction = std::get_if<double>(&element);
  return fraction != nullptr ? graph::Number(*fraction) : graph::Number(std::get<std::int64_t>(element));
}

Element elementAt(const graph::Tensor &tensor, std::int64_t index) {
  const auto at = static_cast<std::size_t>(index);
  switch (tensor.dtype) {
  case DType::Pred:
    return tensor.elements<std::uint8_t>()[at] != 0;
  case DType::U8:
    return static_cast<std::int64_t>(tensor.elements<std::uint8_t>()[at]);
  case DType::S32:
    return static_cast<std::int64_t>(tensor.elements<std::int32_t>()[at]);
  case DType::S64:
    return tensor.elements<std::int64_t>()[at];
  case DType::F32:
    return static_cast<double>(tensor.elements<float>()[at]);
  case DType::F64:
    return tensor.elements<double>()[at];
  }
  return false;
}

std::string textOf(const Element &element) {
  if (const auto *fraction = std::get_if<double>(&element); fraction != nullptr && std::isnan(*fraction)) {
    return "nan"; // its sign means nothing
  }
  return std::visit([](auto value) { return fmt::format("{}", value); }, element);
}

std::string elementText(const graph::Tensor &tensor, std::int64_t index) {
  if (tensor.dtype == DType::F32) {
    const float value = tensor.elements<float>()[static_cast<std::size_t>(index)];
    return std::isnan(value) ? "nan" : fmt::format("{}", value);
  }
  return textOf(elementAt(tensor, index));
}

std::string headOf(const graph::Tensor &tensor) {
  const graph::TensorType type{tensor.dtype, tensor.shape, false};
  const std::int64_t count = tensor.shape.elementCount();
  HeadWriter writer(tensor);
  writer.write(0, 0, count);
  return fmt::format("{} {}", toString(type), writer.take());
}

} // namespace jitscope::script
