// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/tensor.h"

#include <cstdint>
#include <memory>

namespace jitscope::runtime {

struct TensorPoolOptions {
  std::uint64_t maxLiveBytes = std::uint64_t{4} << 30U;  ///< tensors and scratch memory together
  std::uint64_t maxKeptBytes = std::uint64_t{64} << 20U; ///< of freed memory, kept for what comes next; on top of the live bytes
};

struct TensorMemory {
  std::uint64_t liveBytes = 0;
  std::uint64_t peakBytes = 0;
};

/// Memory of tensors and of calls' scratch space: aligned, counted, bounded. Buffers may outlive the pool and may be freed on any
/// thread.
class TensorPool final : public graph::TensorAllocator {
public:
  explicit TensorPool(TensorPoolOptions options = {});
  ~TensorPool() override;
  TensorPool(const TensorPool &) = delete;
  TensorPool &operator=(const TensorPool &) = delete;

  base::Result<graph::Tensor> allocate(graph::DType dtype, const graph::Shape &shape) override;
  /// Raw aligned memory for one call. RuntimeMemory as for tensors.
  base::Result<std::shared_ptr<graph::Buffer>> allocateBytes(std::uint64_t bytes);

  [[nodiscard]] TensorMemory memory() const;

private:
  struct Shared;
  class CountedBuffer;
  std::shared_ptr<Shared> m_shared;
};

} // namespace jitscope::runtime
