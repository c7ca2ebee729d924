// SPDX-License-Identifier: GPL-3.0-or-later
#include "jit/object_emitter.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/MCContext.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/MemoryBufferRef.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

namespace jitscope::jit {

using base::ErrorCode;
using base::fail;
using base::Result;

Result<std::uint64_t> codeBytesOf(const pipeline::ObjectCode &object) {
  const llvm::StringRef bytes(reinterpret_cast<const char *>(object.bytes.data()), object.bytes.size());
  llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> file =
      llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(bytes, object.name));
  if (!file) {
    return fail(ErrorCode::StorageCorrupt, "object " + object.name + ": " + llvm::toString(file.takeError()));
  }
  std::uint64_t size = 0;
  for (const llvm::object::SectionRef &section : (*file)->sections()) {
    size += section.isText() ? section.getSize() : 0;
  }
  return size;
}

Result<pipeline::ObjectCode> emitObject(llvm::Module &module, llvm::TargetMachine &targetMachine) {
  llvm::SmallVector<char, 0> buffer;
  llvm::raw_svector_ostream stream(buffer);
  llvm::legacy::PassManager passes;
  llvm::MCContext *context = nullptr;
  if (targetMachine.addPassesToEmitMC(passes, context, stream, /*DisableVerify=*/true)) {
    return fail(ErrorCode::CompileCodegen, "this target cannot emit object code");
  }
  passes.run(module);
  pipeline::ObjectCode object;
  object.name = module.getModuleIdentifier();
  const auto *begin = reinterpret_cast<const std::byte *>(buffer.data());
  object.bytes.assign(begin, begin + buffer.size());
  const Result<std::uint64_t> codeBytes = codeBytesOf(object);
  if (!codeBytes) {
    return fail(ErrorCode::CompileCodegen, codeBytes.error().message);
  }
  object.codeBytes = *codeBytes;
  return object;
}

} // namespace jitscope::jit
