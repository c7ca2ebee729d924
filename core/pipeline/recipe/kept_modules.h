// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace jitscope::pipeline {

/// A cache of modules that other compiles can continue from, as bitcode because every compile has its own context. It is bounded
/// and evicts the least recently used module first. Any thread.
class KeptModules {
public:
  struct Options {
    std::uint64_t capacityBytes = std::uint64_t{256} << 20U; ///< of bitcode
  };
  explicit KeptModules(Options options) : m_options(options) {}
  KeptModules() : KeptModules(Options{}) {}

  /// The module cached under `key`, read into `context`; null if there is none. CompileOptimize when it cannot be read.
  [[nodiscard]] base::Result<std::unique_ptr<llvm::Module>> find(const std::string &key, llvm::LLVMContext &context);
  /// Caches a copy of `module`, unless it alone is larger than the capacity.
  void keep(const std::string &key, const llvm::Module &module);
  void clear();
  /// Bytes of bitcode now.
  [[nodiscard]] std::uint64_t bytes() const;

private:
  struct Kept {
    std::string key;
    std::shared_ptr<const std::string> bitcode;
  };

  Options m_options;
  mutable std::mutex m_mutex; ///< guards what follows
  std::list<Kept> m_byUse;    ///< latest first
  std::unordered_map<std::string, std::list<Kept>::iterator> m_byKey;
  std::uint64_t m_bytes = 0;
};

} // namespace jitscope::pipeline
