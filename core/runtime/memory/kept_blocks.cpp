// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/memory/kept_blocks.h"

#include "graph/tensor.h"

#include <algorithm>
#include <cstdlib>
#include <new>

// The header clashes with LLVM's own where AddressSanitizer is off.
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
// NOLINTBEGIN(cppcoreguidelines-macro-usage): they stand for the sanitizer's
#define ASAN_POISON_MEMORY_REGION(data, bytes) ((void)(data), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(data, bytes) ((void)(data), (void)(bytes))
// NOLINTEND(cppcoreguidelines-macro-usage)
#endif

namespace jitscope::runtime {

namespace {

/// Below, malloc has memory at hand that was written before.
constexpr std::uint64_t kSmallestKept = std::uint64_t{64} * 1024;
/// More blocks are not searched through.
constexpr std::size_t kMaxKept = 256;

} // namespace

std::byte *KeptBlocks::take(std::uint64_t bytes) {
  if (bytes >= kSmallestKept) {
    if (std::byte *kept = takeKept(bytes)) {
      return kept;
    }
  }
  void *data = std::aligned_alloc(graph::kBufferAlignment, bytes);
  if (data == nullptr) {
    release();
    data = std::aligned_alloc(graph::kBufferAlignment, bytes);
  }
  return static_cast<std::byte *>(data);
}

std::byte *KeptBlocks::takeKept(std::uint64_t bytes) {
  const std::lock_guard lock(m_mutex);
  // What was freed last is most likely still in the caches of the CPU.
  const auto found = std::ranges::find(m_blocks.rbegin(), m_blocks.rend(), bytes, &Block::bytes);
  if (found == m_blocks.rend()) {
    return nullptr;
  }
  std::byte *data = found->data;
  m_blocks.erase(std::next(found).base());
  m_keptBytes -= bytes;
  ASAN_UNPOISON_MEMORY_REGION(data, bytes);
  return data;
}

// What is kept is C's memory, as its allocator needs.
// NOLINTBEGIN(cppcoreguidelines-no-malloc)

void KeptBlocks::give(std::byte *data, std::uint64_t bytes) noexcept {
  if (bytes < kSmallestKept || bytes > m_maxBytes) {
    std::free(data);
    return;
  }
  const std::lock_guard lock(m_mutex);
  try {
    m_blocks.push_back({data, bytes});
  } catch (const std::bad_alloc &) {
    std::free(data);
    return;
  }
  // Whoever still reads it has a defect that AddressSanitizer is to find.
  ASAN_POISON_MEMORY_REGION(data, bytes);
  m_keptBytes += bytes;
  std::size_t tooMany = 0;
  for (; m_keptBytes > m_maxBytes || m_blocks.size() - tooMany > kMaxKept; ++tooMany) {
    const Block &oldest = m_blocks[tooMany];
    ASAN_UNPOISON_MEMORY_REGION(oldest.data, oldest.bytes);
    std::free(oldest.data);
    m_keptBytes -= oldest.bytes;
  }
  m_blocks.erase(m_blocks.begin(), m_blocks.begin() + static_cast<std::ptrdiff_t>(tooMany));
}

void KeptBlocks::release() noexcept {
  const std::lock_guard lock(m_mutex);
  for (const Block &block : m_blocks) {
    ASAN_UNPOISON_MEMORY_REGION(block.data, block.bytes);
    std::free(block.data);
  }
  m_blocks.clear();
  m_keptBytes = 0;
}

// NOLINTEND(cppcoreguidelines-no-malloc)

std::uint64_t KeptBlocks::keptBytes() const {
  const std::lock_guard lock(m_mutex);
  return m_keptBytes;
}

} // namespace jitscope::runtime
