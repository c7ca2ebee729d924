// SPDX-License-Identifier: GPL-3.0-or-later
#include "jit/code_linker.h"

#include <atomic>

#include <cblas.h>
#include <fmt/format.h>
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>

namespace jitscope::jit {

using base::ErrorCode;
using base::fail;
using base::Result;

struct CodeLinker::State {
  std::unique_ptr<llvm::orc::LLJIT> jit;
  llvm::orc::JITDylib *runtime = nullptr;
  std::atomic<std::uint64_t> linked{0};
};

namespace {

/// A dylib of its own for every group of objects: symbols of different executables may be named alike.
class DylibCode final : public LinkedCode {
public:
  DylibCode(std::shared_ptr<void> owner, llvm::orc::ExecutionSession &session, llvm::orc::JITDylib &dylib, EntryFunction address)
      : m_owner(std::move(owner)), m_session(session), m_dylib(dylib), m_entry(address) {}
  ~DylibCode() override { llvm::consumeError(m_session.removeJITDylib(m_dylib)); }
  DylibCode(const DylibCode &) = delete;
  DylibCode &operator=(const DylibCode &) = delete;
  [[nodiscard]] EntryFunction entry() const override { return m_entry; }

private:
  std::shared_ptr<void> m_owner; ///< keeps the linker's state alive
  llvm::orc::ExecutionSession &m_session;
  llvm::orc::JITDylib &m_dylib;
  EntryFunction m_entry;
};

std::unexpected<base::Error> linkFailure(llvm::Error error) {
  return fail(ErrorCode::CompileLink, llvm::toString(std::move(error)));
}

/// The CBLAS functions by address, so that generated code finds them however the command itself was linked.
llvm::orc::SymbolMap blasSymbols(llvm::orc::LLJIT &jit) {
  const auto symbol = [](auto *function) {
    return llvm::orc::ExecutorSymbolDef(llvm::orc::ExecutorAddr::fromPtr(function),
                                        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable);
  };
  return {{jit.mangleAndIntern("cblas_sgemm"), symbol(&cblas_sgemm)}, {jit.mangleAndIntern("cblas_dgemm"), symbol(&cblas_dgemm)},
          {jit.mangleAndIntern("cblas_sgemv"), symbol(&cblas_sgemv)}, {jit.mangleAndIntern("cblas_dgemv"), symbol(&cblas_dgemv)},
          {jit.mangleAndIntern("cblas_sdot"), symbol(&cblas_sdot)},   {jit.mangleAndIntern("cblas_ddot"), symbol(&cblas_ddot)}};
}

/// Fills `runtime` with what generated code may call.
llvm::Error addLibraries(llvm::orc::LLJIT &jit, llvm::orc::JITDylib &runtime) {
  const char prefix = jit.getDataLayout().getGlobalPrefix();
  if (llvm::Error error = runtime.define(llvm::orc::absoluteSymbols(blasSymbols(jit)))) {
    return error;
  }
  for (const char *library : {"libmvec.so.1", "libm.so.6"}) {
    auto generator = llvm::orc::DynamicLibrarySearchGenerator::Load(library, prefix);
    if (!generator) {
      return generator.takeError();
    }
    runtime.addGenerator(std::move(*generator));
  }
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(prefix);
  if (!process) {
    return process.takeError();
  }
  runtime.addGenerator(std::move(*process));
  return llvm::Error::success();
}

} // namespace

CodeLinker::CodeLinker(std::shared_ptr<State> state) : m_state(std::move(state)) {}
CodeLinker::~CodeLinker() = default;

Result<std::unique_ptr<CodeLinker>> CodeLinker::create() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::orc::LLJITBuilder builder;
  // Objects come without static initializers: no platform is needed, nor the process's symbols by way of one.
  builder.setPlatformSetUp(llvm::orc::setUpInactivePlatform);
  builder.setLinkProcessSymbolsByDefault(false);
  auto jit = builder.create();
  if (!jit) {
    return linkFailure(jit.takeError());
  }
  auto state = std::make_shared<State>();
  state->jit = std::move(*jit);
  // What goes wrong comes back from the lookup; the default would print it as well.
  state->jit->getExecutionSession().setErrorReporter([](llvm::Error error) { llvm::consumeError(std::move(error)); });
  auto runtime = state->jit->getExecutionSession().createJITDylib("runtime");
  if (!runtime) {
    return linkFailure(runtime.takeError());
  }
  state->runtime = &*runtime;
  if (llvm::Error error = addLibraries(*state->jit, *runtime)) {
    return linkFailure(std::move(error));
  }
  return std::unique_ptr<CodeLinker>(new CodeLinker(std::move(state)));
}

Result<std::unique_ptr<LinkedCode>> CodeLinker::link(std::span<const pipeline::ObjectCode> objects,
                                                     const std::string &entrySymbol) {
  llvm::orc::ExecutionSession &session = m_state->jit->getExecutionSession();
  auto dylib = session.createJITDylib(fmt::format("executable-{}", m_state->linked.fetch_add(1)));
  if (!dylib) {
    return linkFailure(dylib.takeError());
  }
  dylib->addToLinkOrder(*m_state->runtime);
  const auto discard = [&](llvm::Error error) {
    llvm::consumeError(session.removeJITDylib(*dylib));
    return linkFailure(std::move(error));
  };
  for (const pipeline::ObjectCode &object : objects) {
    const llvm::StringRef bytes(reinterpret_cast<const char *>(object.bytes.data()), object.bytes.size());
    if (llvm::Error error = m_state->jit->addObjectFile(*dylib, llvm::MemoryBuffer::getMemBufferCopy(bytes, object.name))) {
      return discard(std::move(error));
    }
  }
  auto address = m_state->jit->lookup(*dylib, entrySymbol);
  if (!address) {
    return discard(address.takeError());
  }
  return std::make_unique<DylibCode>(m_state, session, *dylib, address->toPtr<EntryFunction>());
}

} // namespace jitscope::jit
