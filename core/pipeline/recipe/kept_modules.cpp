// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/recipe/kept_modules.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBufferRef.h>
#include <llvm/Support/raw_ostream.h>

namespace jitscope::pipeline {

base::Result<std::unique_ptr<llvm::Module>> KeptModules::find(const std::string &key, llvm::LLVMContext &context) {
  std::shared_ptr<const std::string> bitcode;
  {
    const std::lock_guard lock(m_mutex);
    const auto known = m_byKey.find(key);
    if (known == m_byKey.end()) {
      return std::unique_ptr<llvm::Module>();
    }
    m_byUse.splice(m_byUse.begin(), m_byUse, known->second);
    bitcode = known->second->bitcode;
  }
  llvm::Expected<std::unique_ptr<llvm::Module>> module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(*bitcode, key), context);
  if (!module) {
    return base::fail(base::ErrorCode::CompileOptimize, "cached work cannot be read: " + llvm::toString(module.takeError()));
  }
  return std::move(*module);
}

void KeptModules::keep(const std::string &key, const llvm::Module &module) {
  auto bitcode = std::make_shared<std::string>();
  {
    llvm::raw_string_ostream stream(*bitcode);
    llvm::WriteBitcodeToFile(module, stream);
  }
  const std::lock_guard lock(m_mutex);
  if (bitcode->size() > m_options.capacityBytes) {
    return;
  }
  if (const auto known = m_byKey.find(key); known != m_byKey.end()) {
    m_bytes -= known->second->bitcode->size();
    m_byUse.erase(known->second);
    m_byKey.erase(known);
  }
  m_bytes += bitcode->size();
  m_byUse.push_front({key, std::move(bitcode)});
  m_byKey.emplace(key, m_byUse.begin());
  while (m_bytes > m_options.capacityBytes) {
    m_bytes -= m_byUse.back().bitcode->size();
    m_byKey.erase(m_byUse.back().key);
    m_byUse.pop_back();
  }
}

void KeptModules::clear() {
  const std::lock_guard lock(m_mutex);
  m_byKey.clear();
  m_byUse.clear();
  m_bytes = 0;
}

std::uint64_t KeptModules::bytes() const {
  const std::lock_guard lock(m_mutex);
  return m_bytes;
}

} // namespace jitscope::pipeline
