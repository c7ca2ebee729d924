// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/result_checks.h"

#include "runtime/memory/kept_blocks.h"
#include "runtime/memory/tensor_pool.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

using namespace jitscope;
using runtime::KeptBlocks;
using runtime::TensorPool;

namespace {

constexpr std::uint64_t kKiB = 1024;

bool isAligned(const std::byte *data) { return reinterpret_cast<std::uintptr_t>(data) % graph::kBufferAlignment == 0; }

} // namespace

class TestTensorPool : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void memoryIsCountedAndBounded() {
    TensorPool pool({.maxLiveBytes = 1000 * kKiB});
    auto first = pool.allocateBytes(600 * kKiB);
    JS_VERIFY_RESULT(first);
    QVERIFY(isAligned((*first)->data()));
    JS_COMPARE_ERROR(pool.allocateBytes(600 * kKiB), base::ErrorCode::RuntimeMemory);
    QCOMPARE(pool.memory().liveBytes, 600 * kKiB);
    first->reset();
    // What is kept for later is not live.
    QCOMPARE(pool.memory().liveBytes, std::uint64_t{0});
    const auto second = pool.allocateBytes(1000 * kKiB);
    JS_VERIFY_RESULT(second);
    QCOMPARE(pool.memory().peakBytes, 1000 * kKiB);
  }

  void aTensorGetsTheMemoryOfTheLastOneOfItsSize() {
    TensorPool pool;
    auto first = pool.allocate(graph::DType::F32, {1000, 1000});
    JS_VERIFY_RESULT(first);
    const std::byte *place = first->buffer->data();
    first->buffer.reset();
    const auto larger = pool.allocate(graph::DType::F32, {1001, 1000});
    const auto equal = pool.allocate(graph::DType::S32, {1000, 1000});
    const auto another = pool.allocate(graph::DType::F32, {1000, 1000});
    QVERIFY(equal->buffer->data() == place);
    QVERIFY(larger->buffer->data() != place);
    QVERIFY(another->buffer->data() != place);
  }

  void buffersOutliveThePool() {
    auto pool = std::make_unique<TensorPool>();
    const auto tensor = pool->allocate(graph::DType::F32, {300, 300});
    JS_VERIFY_RESULT(tensor);
    pool.reset();
    tensor->buffer->data()[0] = std::byte{1};
  }

  void whatIsKeptIsBounded() {
    KeptBlocks blocks(1000 * kKiB);
    std::vector<std::byte *> taken;
    for (int i = 0; i < 12; ++i) {
      taken.push_back(blocks.take(100 * kKiB));
    }
    std::byte *tooLarge = blocks.take(1001 * kKiB);
    for (std::byte *block : taken) {
      blocks.give(block, 100 * kKiB);
    }
    QCOMPARE(blocks.keptBytes(), 1000 * kKiB);
    blocks.give(tooLarge, 1001 * kKiB);
    QCOMPARE(blocks.keptBytes(), 1000 * kKiB);
    // The first two went; the last comes back first.
    for (std::size_t i = taken.size(); i-- > 2;) {
      QVERIFY(blocks.take(100 * kKiB) == taken[i]);
    }
    QCOMPARE(blocks.keptBytes(), std::uint64_t{0});
    for (std::size_t i = 2; i < taken.size(); ++i) {
      blocks.give(taken[i], 100 * kKiB);
    }
    blocks.release();
    QCOMPARE(blocks.keptBytes(), std::uint64_t{0});
  }

  void smallBlocksAreLeftToMalloc() {
    KeptBlocks blocks(1000 * kKiB);
    blocks.give(blocks.take(64), 64);
    QCOMPARE(blocks.keptBytes(), std::uint64_t{0});
  }

  void manyBlocksOfAllSizesStayBounded() {
    KeptBlocks blocks(std::uint64_t{1} << 40U);
    std::vector<std::byte *> taken;
    for (std::uint64_t i = 0; i < 300; ++i) {
      taken.push_back(blocks.take((100 + i) * kKiB));
    }
    for (std::uint64_t i = 0; i < 300; ++i) {
      blocks.give(taken[i], (100 + i) * kKiB);
    }
    std::uint64_t expected = 0;
    for (std::uint64_t i = 300 - 256; i < 300; ++i) {
      expected += (100 + i) * kKiB;
    }
    QCOMPARE(blocks.keptBytes(), expected);
  }

  void threadsShareIt() {
    TensorPool pool({.maxKeptBytes = 1000 * kKiB});
    std::vector<std::jthread> threads;
    std::atomic<int> mixedUp{0};
    for (unsigned char number = 1; number <= 4; ++number) {
      threads.emplace_back([&pool, &mixedUp, number] {
        for (int i = 0; i < 200; ++i) {
          const auto buffer = pool.allocateBytes(100 * kKiB);
          std::byte *data = (*buffer)->data();
          data[0] = data[100 * kKiB - 1] = std::byte{number};
          std::this_thread::yield();
          mixedUp += data[0] == std::byte{number} && data[100 * kKiB - 1] == std::byte{number} ? 0 : 1;
        }
      });
    }
    threads.clear();
    QCOMPARE(mixedUp.load(), 0);
    QCOMPARE(pool.memory().liveBytes, std::uint64_t{0});
  }
};

QTEST_GUILESS_MAIN(TestTensorPool)
#include "tst_tensor_pool.moc"
