// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/shape.h"

#include <cstddef>
#include <memory>
#include <span>

namespace jitscope::graph {

/// Every buffer starts at a multiple of this many bytes: a cache line, and the widest vector register.
inline constexpr std::size_t kBufferAlignment = 64;

/// Raw, aligned memory of one tensor. The last tensor that uses it frees it and returns it to its pool.
class Buffer {
public:
  virtual ~Buffer() = default;
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  [[nodiscard]] std::byte *data() const { return m_data; }
  [[nodiscard]] std::size_t byteSize() const { return m_byteSize; }

protected:
  Buffer(std::byte *data, std::size_t byteSize) : m_data(data), m_byteSize(byteSize) {}

private:
  std::byte *m_data;
  std::size_t m_byteSize;
};

/// A dense row-major array of known shape. Copies share the buffer, which nobody writes once the tensor is handed out.
struct Tensor {
  DType dtype = DType::F32;
  Shape shape;
  bool weak = false; ///< see TensorType
  std::shared_ptr<Buffer> buffer;

  [[nodiscard]] TensorType type() const { return {dtype, shape, weak}; }
  /// The elements as `T`, whose size must be the dtype's.
  template <typename T> [[nodiscard]] std::span<T> elements() const {
    // A buffer is raw storage for exactly these elements.
    return {reinterpret_cast<T *>(buffer->data()), static_cast<std::size_t>(shape.elementCount())};
  }
};

/// Makes the memory of tensors, counts it and keeps it within a bound. Members may be called from any thread.
class TensorAllocator {
public:
  virtual ~TensorAllocator() = default;
  /// An uninitialized tensor, or RuntimeMemory when the bound would be passed or the system has no more.
  virtual base::Result<Tensor> allocate(DType dtype, const Shape &shape) = 0;
};

} // namespace jitscope::graph
