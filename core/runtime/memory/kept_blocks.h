// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace jitscope::runtime {

/// Memory of freed tensors, kept for the next ones of the same size. Pages that are new from the system are cleared one by one when
/// they are first written, which takes longer than most kernels do; and whether malloc hands out new ones depends on what else was
/// freed, so that equal calls would take unequal times. Any thread.
class KeptBlocks {
public:
  /// Keeps at most so many bytes. Of more, what was freed first goes back to the system.
  explicit KeptBlocks(std::uint64_t maxBytes) : m_maxBytes(maxBytes) {}
  ~KeptBlocks() { release(); }
  KeptBlocks(const KeptBlocks &) = delete;
  KeptBlocks &operator=(const KeptBlocks &) = delete;

  /// A block of `bytes`, a multiple of the alignment of buffers: a kept one if there is one, else a new one; null where the system
  /// has none left. What it holds is undefined.
  [[nodiscard]] std::byte *take(std::uint64_t bytes);
  /// Takes back a block with the size it was taken with.
  void give(std::byte *data, std::uint64_t bytes) noexcept;
  /// Returns all cached blocks to the system.
  void release() noexcept;

  [[nodiscard]] std::uint64_t keptBytes() const;

private:
  struct Block {
    std::byte *data;
    std::uint64_t bytes;
  };
  std::byte *takeKept(std::uint64_t bytes);

  std::uint64_t m_maxBytes;
  mutable std::mutex m_mutex;
  std::vector<Block> m_blocks; ///< in the order in which they were freed
  std::uint64_t m_keptBytes = 0;
};

} // namespace jitscope::runtime
