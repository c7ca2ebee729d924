// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/memory/tensor_pool.h"

#include "base/try.h"
#include "runtime/memory/kept_blocks.h"

#include <algorithm>
#include <atomic>

#include <fmt/format.h>

namespace jitscope::runtime {

using base::ErrorCode;
using base::fail;
using base::Result;

/// Shared with the buffers, since they may outlive the pool.
struct TensorPool::Shared {
  explicit Shared(const TensorPoolOptions &options) : maxLiveBytes(options.maxLiveBytes), blocks(options.maxKeptBytes) {}

  std::uint64_t maxLiveBytes;
  KeptBlocks blocks;
  std::atomic<std::uint64_t> liveBytes{0};
  std::atomic<std::uint64_t> peakBytes{0};

  bool take(std::uint64_t bytes) {
    const std::uint64_t live = liveBytes.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    if (live > maxLiveBytes) {
      liveBytes.fetch_sub(bytes, std::memory_order_relaxed);
      return false;
    }
    std::uint64_t peak = peakBytes.load(std::memory_order_relaxed);
    while (live > peak && !peakBytes.compare_exchange_weak(peak, live, std::memory_order_relaxed)) {
    }
    return true;
  }
  void giveBack(std::uint64_t bytes) { liveBytes.fetch_sub(bytes, std::memory_order_relaxed); }
};

namespace {

/// A multiple of the alignment; an empty tensor gets a line of its own, so that its address is valid.
std::uint64_t blockBytesFor(std::uint64_t bytes) {
  return std::max<std::uint64_t>(1, (bytes + graph::kBufferAlignment - 1) / graph::kBufferAlignment) * graph::kBufferAlignment;
}

} // namespace

class TensorPool::CountedBuffer final : public graph::Buffer {
public:
  CountedBuffer(std::byte *data, std::size_t byteSize, std::shared_ptr<Shared> shared)
      : Buffer(data, byteSize), m_shared(std::move(shared)) {}
  ~CountedBuffer() override {
    m_shared->blocks.give(data(), blockBytesFor(byteSize()));
    m_shared->giveBack(byteSize());
  }
  CountedBuffer(const CountedBuffer &) = delete;
  CountedBuffer &operator=(const CountedBuffer &) = delete;

private:
  std::shared_ptr<Shared> m_shared;
};

TensorPool::TensorPool(TensorPoolOptions options) : m_shared(std::make_shared<Shared>(options)) {}
TensorPool::~TensorPool() = default;

Result<std::shared_ptr<graph::Buffer>> TensorPool::allocateBytes(std::uint64_t bytes) {
  if (!m_shared->take(bytes)) {
    constexpr double kMiB = 1 << 20;
    return fail(
        ErrorCode::RuntimeMemory,
        fmt::format(
            "{:.1f} MiB more would pass the bound of {:.0f} MiB for tensors ({:.1f} MiB are in use): drop tensors, or raise it "
            "with --set tensor_mib=N",
            static_cast<double>(bytes) / kMiB, static_cast<double>(m_shared->maxLiveBytes) / kMiB,
            static_cast<double>(m_shared->liveBytes.load(std::memory_order_relaxed)) / kMiB));
  }
  std::byte *data = m_shared->blocks.take(blockBytesFor(bytes));
  if (data == nullptr) {
    m_shared->giveBack(bytes);
    return fail(ErrorCode::RuntimeMemory, fmt::format("the system has no {} bytes left for a tensor", bytes));
  }
  return std::make_shared<CountedBuffer>(data, static_cast<std::size_t>(bytes), m_shared);
}

Result<graph::Tensor> TensorPool::allocate(graph::DType dtype, const graph::Shape &shape) {
  JITSCOPE_TRY(const std::int64_t bytes, checkedByteSize(dtype, shape));
  Result<std::shared_ptr<graph::Buffer>> buffer = allocateBytes(static_cast<std::uint64_t>(bytes));
  if (!buffer) {
    buffer.error().message = fmt::format("{}: {}", toString(graph::TensorType{dtype, shape, false}), buffer.error().message);
    return std::unexpected(std::move(buffer.error()));
  }
  return graph::Tensor{dtype, shape, false, std::move(*buffer)};
}

TensorMemory TensorPool::memory() const {
  return {m_shared->liveBytes.load(std::memory_order_relaxed), m_shared->peakBytes.load(std::memory_order_relaxed)};
}

} // namespace jitscope::runtime
