// SPDX-License-Identifier: GPL-3.0-or-later
#include "cache/executable_cache.h"

#include <QtTest>

#include <atomic>
#include <list>
#include <thread>

using namespace jitscope;
using cache::CacheOptions;
using cache::Entry;
using cache::ExecutableCache;

namespace {

/// Code of a given size that tells when it is gone.
class FakeCode final : public cache::Executable {
public:
  explicit FakeCode(std::uint64_t bytes, bool *gone = nullptr) : m_bytes(bytes), m_gone(gone) {}
  ~FakeCode() override {
    if (m_gone != nullptr) {
      *m_gone = true;
    }
  }
  [[nodiscard]] std::uint64_t codeBytes() const override { return m_bytes; }

private:
  std::uint64_t m_bytes;
  bool *m_gone;
};

base::Hash128 key(std::uint64_t number) { return {number, number}; }

std::vector<cache::Eviction> put(ExecutableCache &cache, std::uint64_t number, std::uint64_t nowNs,
                                 std::shared_ptr<const cache::Executable> code = std::make_shared<FakeCode>(10)) {
  const ExecutableCache::Lookup lookup = cache.acquire(key(number), nowNs);
  return cache.publish(
      key(number), lookup.flight,
      std::make_shared<const Entry>(Entry{base::TemplateId(static_cast<std::uint32_t>(number)), std::move(code), {}, ""}), nowNs);
}

std::vector<std::uint32_t> templatesOf(const std::vector<cache::Eviction> &evictions) {
  std::vector<std::uint32_t> ids;
  for (const cache::Eviction &eviction : evictions) {
    ids.push_back(eviction.templateId.value);
  }
  return ids;
}

} // namespace

class ExecutableCacheTest : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void whatWasPublishedIsFound();
  void theLeastRecentlyUsedGoesFirst();
  void evictsLikeAListOfUses();
  void aBoundThatComesLaterEvictsByUse();
  void codeBytesAreBounded();
  void codeThatTwoEntriesShareCountsOnce();
  void codeLivesAsLongAsSomebodyHoldsIt();
  void clearDropsEverything();
  void capacityZeroKeepsNothing();
  void askingIsNoUse();
  void oneOwnerAndTheOthersWait();
  void afterAFailureAWaiterMayTry();
};

void ExecutableCacheTest::whatWasPublishedIsFound() {
  ExecutableCache cache;
  QVERIFY(cache.find(key(1), 0) == nullptr);
  put(cache, 1, 0);
  QVERIFY(cache.find(key(1), 1) != nullptr);
  QVERIFY(cache.contains(key(1)));
  QVERIFY(!cache.contains(key(2)));
  QCOMPARE(cache.size().entries, std::uint64_t{1});
}

void ExecutableCacheTest::theLeastRecentlyUsedGoesFirst() {
  ExecutableCache cache(CacheOptions{.capacityEntries = 2, .capacityBytes = {}});
  put(cache, 1, 10);
  put(cache, 2, 20);
  QVERIFY(cache.find(key(1), 30) != nullptr);
  const auto evictions = put(cache, 3, 40);
  QCOMPARE(templatesOf(evictions), std::vector<std::uint32_t>{2});
  QCOMPARE(evictions[0].reason, event::EvictionReason::Entries);
  QVERIFY(cache.contains(key(1)));
}

void ExecutableCacheTest::evictsLikeAListOfUses() {
  // The textbook list, most recent first, as an independent model.
  constexpr std::size_t kCapacity = 5;
  ExecutableCache cache(CacheOptions{.capacityEntries = kCapacity, .capacityBytes = {}});
  std::list<std::uint64_t> model;
  std::uint32_t random = 12345;
  for (std::uint64_t now = 1; now < 2000; ++now) {
    random = random * 1664525U + 1013904223U;
    const std::uint64_t wanted = (random >> 16U) % 12 + 1;
    const bool isHit = cache.find(key(wanted), now) != nullptr;
    const auto known = std::find(model.begin(), model.end(), wanted);
    QCOMPARE(isHit, known != model.end());
    if (known != model.end()) {
      model.erase(known);
    }
    model.push_front(wanted);
    if (!isHit) {
      std::vector<std::uint32_t> expected;
      if (model.size() > kCapacity) {
        expected.push_back(static_cast<std::uint32_t>(model.back()));
        model.pop_back();
      }
      QCOMPARE(templatesOf(put(cache, wanted, now)), expected);
    }
  }
}

void ExecutableCacheTest::aBoundThatComesLaterEvictsByUse() {
  ExecutableCache cache;
  for (std::uint64_t number = 1; number <= 4; ++number) {
    put(cache, number, number);
  }
  QVERIFY(cache.find(key(1), 5) != nullptr);
  QCOMPARE(templatesOf(cache.setOptions(CacheOptions{.capacityEntries = 3, .capacityBytes = {}})), std::vector<std::uint32_t>{2});
  cache.clear();
  for (std::uint64_t number = 1; number <= 3; ++number) {
    QVERIFY(put(cache, number, 5 + number).empty());
  }
  QVERIFY(cache.find(key(1), 9) != nullptr);
  QCOMPARE(templatesOf(put(cache, 4, 10)), std::vector<std::uint32_t>{2});
  QVERIFY(cache.setOptions({}).empty());
  QVERIFY(put(cache, 2, 11).empty());
}

void ExecutableCacheTest::codeBytesAreBounded() {
  ExecutableCache cache(CacheOptions{.capacityEntries = {}, .capacityBytes = 100});
  put(cache, 1, 1, std::make_shared<FakeCode>(60));
  QVERIFY(put(cache, 2, 2, std::make_shared<FakeCode>(40)).empty());
  const auto evictions = put(cache, 3, 3, std::make_shared<FakeCode>(50));
  QCOMPARE(templatesOf(evictions), std::vector<std::uint32_t>{1});
  QCOMPARE(evictions[0].reason, event::EvictionReason::Bytes);
  QCOMPARE(evictions[0].codeBytes, std::uint64_t{60});
  QCOMPARE(cache.size().codeBytes, std::uint64_t{90});
  // Larger than the bound by itself: kept until the next one comes.
  QCOMPARE(templatesOf(put(cache, 4, 4, std::make_shared<FakeCode>(500))), (std::vector<std::uint32_t>{2, 3}));
  QVERIFY(cache.contains(key(4)));
  QCOMPARE(templatesOf(put(cache, 5, 5)), std::vector<std::uint32_t>{4});
}

void ExecutableCacheTest::codeThatTwoEntriesShareCountsOnce() {
  ExecutableCache cache;
  const auto code = std::make_shared<FakeCode>(70);
  put(cache, 1, 1, code);
  put(cache, 2, 2, code);
  QCOMPARE(cache.size().codeBytes, std::uint64_t{70});
  const auto evictions = cache.setOptions(CacheOptions{.capacityEntries = 1, .capacityBytes = {}});
  QCOMPARE(evictions.at(0).codeBytes, std::uint64_t{0});
  QCOMPARE(cache.size().codeBytes, std::uint64_t{70});
}

void ExecutableCacheTest::codeLivesAsLongAsSomebodyHoldsIt() {
  bool gone = false;
  ExecutableCache cache;
  put(cache, 1, 1, std::make_shared<FakeCode>(10, &gone));
  std::shared_ptr<const Entry> running = cache.find(key(1), 2);
  cache.clear();
  QVERIFY(!cache.contains(key(1)));
  QVERIFY(!gone);
  running.reset();
  QVERIFY(gone);
}

void ExecutableCacheTest::clearDropsEverything() {
  ExecutableCache cache;
  put(cache, 1, 1);
  put(cache, 2, 2);
  const auto evictions = cache.clear();
  QCOMPARE(evictions.size(), std::size_t{2});
  QCOMPARE(evictions[0].reason, event::EvictionReason::Clear);
  QCOMPARE(cache.size().entries, std::uint64_t{0});
  QCOMPARE(cache.size().codeBytes, std::uint64_t{0});
}

void ExecutableCacheTest::capacityZeroKeepsNothing() {
  ExecutableCache cache(CacheOptions{.capacityEntries = 0, .capacityBytes = {}});
  QVERIFY(cache.isOff());
  QVERIFY(put(cache, 1, 1).empty());
  QVERIFY(!cache.contains(key(1)));
}

void ExecutableCacheTest::askingIsNoUse() {
  ExecutableCache cache(CacheOptions{.capacityEntries = 2, .capacityBytes = {}});
  put(cache, 1, 1);
  put(cache, 2, 2);
  QVERIFY(cache.contains(key(1)));
  QCOMPARE(templatesOf(put(cache, 3, 3)), std::vector<std::uint32_t>{1});
}

void ExecutableCacheTest::oneOwnerAndTheOthersWait() {
  constexpr int kThreads = 8;
  ExecutableCache cache;
  std::atomic<int> owners{0};
  std::atomic<int> waiters{0};
  std::atomic<int> arrived{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        const ExecutableCache::Lookup lookup = cache.acquire(key(1), 1);
        ++arrived;
        if (lookup.isOwner) {
          ++owners;
          // Not before everybody has asked, so that nobody comes too late to wait.
          while (arrived < kThreads) {
            std::this_thread::yield();
          }
          cache.publish(key(1), lookup.flight,
                        std::make_shared<const Entry>(Entry{base::TemplateId(1), std::make_shared<FakeCode>(1), {}, ""}), 2);
        } else if (lookup.flight && ExecutableCache::wait(*lookup.flight)) {
          ++waiters;
        }
      });
    }
  }
  QCOMPARE(owners.load(), 1);
  QCOMPARE(waiters.load(), kThreads - 1);
}

void ExecutableCacheTest::afterAFailureAWaiterMayTry() {
  ExecutableCache cache;
  const ExecutableCache::Lookup owner = cache.acquire(key(1), 1);
  const ExecutableCache::Lookup waiter = cache.acquire(key(1), 1);
  QVERIFY(owner.isOwner);
  QVERIFY(!waiter.isOwner);
  cache.abandon(key(1), owner.flight);
  QVERIFY(ExecutableCache::wait(*waiter.flight) == nullptr);
  QVERIFY(!cache.contains(key(1)));
  QVERIFY(cache.acquire(key(1), 2).isOwner);
}

QTEST_GUILESS_MAIN(ExecutableCacheTest)
#include "tst_executable_cache.moc"
