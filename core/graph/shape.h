// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "graph/dtype.h"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>

namespace jitscope::graph {

/// The maximum number of dimensions of a tensor. It is fixed, so shapes need no allocation during a call.
inline constexpr std::size_t kMaxRank = 8;
/// A size that is known only when the function is called (`template="rank"`).
inline constexpr std::int64_t kDynamic = -1;

/// Sizes of a row-major tensor, outermost first. Rank 0 is a scalar.
class Shape {
public:
  Shape() = default;
  Shape(std::initializer_list<std::int64_t> sizes);
  /// `sizes.size()` must not exceed `kMaxRank`.
  explicit Shape(std::span<const std::int64_t> sizes);
  /// A shape of `rank` unknown sizes.
  static Shape dynamic(std::size_t rank);

  [[nodiscard]] std::size_t rank() const { return m_rank; }
  [[nodiscard]] std::int64_t operator[](std::size_t axis) const { return m_sizes[axis]; }
  void setSize(std::size_t axis, std::int64_t size) { m_sizes[axis] = size; }
  void append(std::int64_t size) { m_sizes[m_rank++] = size; }
  [[nodiscard]] std::span<const std::int64_t> sizes() const { return {m_sizes.data(), m_rank}; }

  [[nodiscard]] bool isScalar() const { return m_rank == 0; }
  /// Whether every size is known.
  [[nodiscard]] bool isStatic() const;
  /// Number of elements; 1 for a scalar. Requires a static shape whose count was checked (`checkedByteSize`).
  [[nodiscard]] std::int64_t elementCount() const;

  friend bool operator==(const Shape &left, const Shape &right);

private:
  std::array<std::int64_t, kMaxRank> m_sizes{};
  std::uint8_t m_rank = 0;
};

/// "[64,64]", "[]" for a scalar, "?" for an unknown size.
std::string toString(const Shape &shape);

/// Dtype and shape of a value. `weak` marks a scalar that came from a plain Lua number: next to a tensor it takes that tensor's
/// dtype instead of promoting it.
struct TensorType {
  DType dtype = DType::F32;
  Shape shape;
  bool weak = false;

  friend bool operator==(const TensorType &, const TensorType &) = default;
};

/// "f32[64,64]", "f64[]"; weak scalars read "integer" and "float", as Lua calls them.
std::string toString(const TensorType &type);

/// Bytes of a dense tensor; an error (ScriptShape) when a size is negative or the number overflows 63 bits.
base::Result<std::int64_t> checkedByteSize(DType dtype, const Shape &shape);

} // namespace jitscope::graph
