// SPDX-License-Identifier: GPL-3.0-or-later
#include "jit/object_emitter.h"

#include "base/try.h"
#include "event/activity.h"

#include <algorithm>

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/MCContext.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Pass.h>
#include <llvm/Support/MemoryBufferRef.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

namespace jitscope::jit {

using base::ErrorCode;
using base::fail;
using base::Result;

namespace {

/// The functions of an ELF object and what each takes; empty for other formats, which know no sizes.
std::vector<pipeline::FunctionCode> functionsIn(const llvm::object::ObjectFile &file) {
  std::vector<pipeline::FunctionCode> functions;
  const auto *elf = llvm::dyn_cast<llvm::object::ELFObjectFileBase>(&file);
  if (elf == nullptr) {
    return functions;
  }
  for (const llvm::object::ELFSymbolRef &symbol : elf->symbols()) {
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    if (!name) {
      llvm::consumeError(name.takeError());
    } else if (symbol.getELFType() == llvm::ELF::STT_FUNC && symbol.getSize() > 0) {
      functions.push_back({name->str(), symbol.getSize()});
    }
  }
  std::ranges::sort(functions, {}, &pipeline::FunctionCode::symbol);
  return functions;
}

std::uint64_t textBytesOf(const llvm::object::ObjectFile &file) {
  std::uint64_t size = 0;
  for (const llvm::object::SectionRef &section : file.sections()) {
    size += section.isText() ? section.getSize() : 0;
  }
  return size;
}

Result<std::unique_ptr<llvm::object::ObjectFile>> openObject(const pipeline::ObjectCode &object) {
  const llvm::StringRef bytes(reinterpret_cast<const char *>(object.bytes.data()), object.bytes.size());
  llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> file =
      llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(bytes, object.name));
  if (!file) {
    return fail(ErrorCode::StorageCorrupt, "object " + object.name + ": " + llvm::toString(file.takeError()));
  }
  return std::move(*file);
}

/// Stands before a pass of the code generator and says that it comes next. LLVM's code generator still runs under the old pass
/// manager, which has no callbacks.
class PassMarker final : public llvm::FunctionPass {
public:
  PassMarker(event::CompileActivity &activity, std::string next)
      : llvm::FunctionPass(kId), m_activity(activity), m_next(std::move(next)) {}

  bool runOnFunction(llvm::Function & /*function*/) override {
    m_activity.pass(m_next);
    return false;
  }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override { usage.setPreservesAll(); }

private:
  static inline char kId = 0; // NOLINT: LLVM knows passes by such an address
  event::CompileActivity &m_activity;
  std::string m_next;
};

/// Puts a marker before each pass over functions, and leaves all else as it is: a marker between passes over modules would change
/// the order in which functions are worked on.
class MarkingPassManager final : public llvm::legacy::PassManagerBase {
public:
  MarkingPassManager(llvm::legacy::PassManager &target, event::CompileActivity *activity)
      : m_target(target), m_activity(activity) {}

  void add(llvm::Pass *pass) override {
    if (m_activity != nullptr && pass->getPassKind() == llvm::PT_Function) {
      m_target.add(new PassMarker(*m_activity, pass->getPassName().str())); // the pass manager owns its passes
    }
    m_target.add(pass);
  }

private:
  llvm::legacy::PassManager &m_target;
  event::CompileActivity *m_activity;
};

} // namespace

Result<std::uint64_t> codeBytesOf(const pipeline::ObjectCode &object) {
  JITSCOPE_TRY(const std::unique_ptr<llvm::object::ObjectFile> file, openObject(object));
  return textBytesOf(*file);
}

Result<pipeline::ObjectCode> emitObject(llvm::Module &module, llvm::TargetMachine &targetMachine,
                                        event::CompileActivity *activity) {
  llvm::SmallVector<char, 0> buffer;
  llvm::raw_svector_ostream stream(buffer);
  llvm::legacy::PassManager passes;
  MarkingPassManager marking(passes, activity);
  llvm::MCContext *context = nullptr;
  if (targetMachine.addPassesToEmitMC(marking, context, stream, /*DisableVerify=*/true)) {
    return fail(ErrorCode::CompileCodegen, "this target cannot emit object code");
  }
  passes.run(module);
  pipeline::ObjectCode object;
  object.name = module.getModuleIdentifier();
  const auto *begin = reinterpret_cast<const std::byte *>(buffer.data());
  object.bytes.assign(begin, begin + buffer.size());
  const Result<std::unique_ptr<llvm::object::ObjectFile>> file = openObject(object);
  if (!file) {
    return fail(ErrorCode::CompileCodegen, file.error().message);
  }
  object.codeBytes = textBytesOf(**file);
  object.functions = functionsIn(**file);
  return object;
}

} // namespace jitscope::jit
