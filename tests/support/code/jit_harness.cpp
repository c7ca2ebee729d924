// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/code/jit_harness.h"
#include "graph/shape_evaluation.h"
#include "lower/entry.h"
#include "lower/plan/scratch_plan.h"
#include "lower/symbols.h"
#include "lower/target.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Target/TargetMachine.h>

namespace jitscope::testing {

using base::ErrorCode;
using base::fail;
using base::Result;

namespace {

constexpr std::size_t kGuardBytes = 128;
constexpr std::uint8_t kGuard = 0xA5;

std::unexpected<base::Error> failure(llvm::Error error) { return fail(ErrorCode::Internal, llvm::toString(std::move(error))); }

/// Aligned memory with a pattern behind it.
class GuardedBuffer {
public:
  explicit GuardedBuffer(std::size_t bytes) : m_bytes(bytes) {
    const std::size_t whole = (bytes + kGuardBytes + graph::kBufferAlignment) / graph::kBufferAlignment * graph::kBufferAlignment;
    m_memory.reset(static_cast<std::uint8_t *>(std::aligned_alloc(graph::kBufferAlignment, whole)));
    // What is not written must not look like a result.
    std::memset(m_memory.get(), kGuard, whole);
  }
  [[nodiscard]] std::uint8_t *data() const { return m_memory.get(); }
  [[nodiscard]] bool isIntact() const {
    return std::all_of(data() + m_bytes, data() + m_bytes + kGuardBytes, [](std::uint8_t byte) { return byte == kGuard; });
  }

private:
  struct Release {
    void operator()(std::uint8_t *memory) const { std::free(memory); }
  };
  std::size_t m_bytes;
  std::unique_ptr<std::uint8_t, Release> m_memory;
};

GuardedBuffer memoryOf(const ReferenceArray &array) {
  const std::size_t size = graph::byteSize(array.dtype);
  GuardedBuffer buffer(array.bits.size() * size);
  for (std::size_t i = 0; i < array.bits.size(); ++i) {
    std::memcpy(buffer.data() + i * size, &array.bits[i], size);
  }
  return buffer;
}

ReferenceArray arrayIn(const GuardedBuffer &buffer, graph::DType dtype, const graph::Shape &shape) {
  const std::size_t size = graph::byteSize(dtype);
  ReferenceArray array{dtype, shape, std::vector<std::uint64_t>(static_cast<std::size_t>(shape.elementCount()), 0)};
  for (std::size_t i = 0; i < array.bits.size(); ++i) {
    std::memcpy(&array.bits[i], buffer.data() + i * size, size);
  }
  return array;
}

llvm::Error addLibraries(llvm::orc::LLJIT &jit) {
  const char prefix = jit.getDataLayout().getGlobalPrefix();
  for (const char *library : {"libopenblas.so.0", "libmvec.so.1", "libm.so.6"}) {
    auto generator = llvm::orc::DynamicLibrarySearchGenerator::Load(library, prefix);
    if (!generator) {
      return generator.takeError();
    }
    jit.getMainJITDylib().addGenerator(std::move(*generator));
  }
  return llvm::Error::success();
}

} // namespace

struct CompiledGraph::State {
  std::shared_ptr<const graph::Graph> root;
  lower::ScratchPlan scratch;
  std::unique_ptr<llvm::orc::LLJIT> jit;
  Entry entry = nullptr;
  std::string before;
  std::string after;
};

CompiledGraph::CompiledGraph(std::unique_ptr<State> state) : m_state(std::move(state)) {}
CompiledGraph::~CompiledGraph() = default;
CompiledGraph::Entry CompiledGraph::entry() const { return m_state->entry; }
const std::string &CompiledGraph::irBefore() const { return m_state->before; }
const std::string &CompiledGraph::irAfter() const { return m_state->after; }

Result<std::unique_ptr<CompiledGraph>> CompiledGraph::compile(const std::shared_ptr<const graph::Graph> &root,
                                                              const HarnessOptions &options) {
  auto state = std::make_unique<State>();
  state->root = root;
  state->scratch = lower::planScratch(*root);
  const Result<lower::TargetSpec> spec = lower::hostTarget(options.lower.compile.cpu);
  if (!spec) {
    return std::unexpected(spec.error());
  }
  auto machine = lower::createTargetMachine(*spec, options.lower.compile.opt);
  if (!machine) {
    return std::unexpected(machine.error());
  }
  auto context = std::make_unique<llvm::LLVMContext>();
  std::vector<std::unique_ptr<llvm::Module>> modules;
  for (const lower::NamedFunction &function : lower::functionsOf(root)) {
    auto lowered = lower::lowerFunction(*function.graph, options.lower, **machine, *context);
    if (!lowered) {
      return std::unexpected(lowered.error());
    }
    modules.push_back(std::move(lowered->module));
  }
  auto entry = lower::lowerEntry(*root, options.lower, **machine, *context);
  if (!entry) {
    return std::unexpected(entry.error());
  }
  modules.push_back(std::move(entry->module));
  if (options.linksFunctions) {
    while (modules.size() > 1) {
      std::unique_ptr<llvm::Module> next = std::move(modules.back());
      modules.pop_back();
      if (llvm::Linker::linkModules(*modules.front(), std::move(next))) {
        return fail(ErrorCode::Internal, "linking failed");
      }
    }
    for (llvm::Function &function : *modules.front()) {
      if (!function.isDeclaration() && function.getName() != entry->symbol) {
        function.setLinkage(llvm::Function::InternalLinkage);
      }
    }
  }
  auto builder = llvm::orc::LLJITBuilder();
  builder.setJITTargetMachineBuilder(llvm::orc::JITTargetMachineBuilder(llvm::Triple(spec->triple)));
  builder.getJITTargetMachineBuilder()
      ->setCPU(spec->cpu)
      .setCodeModel(llvm::CodeModel::Small)
      .setRelocationModel(llvm::Reloc::PIC_);
  auto jit = builder.create();
  if (!jit) {
    return failure(jit.takeError());
  }
  state->jit = std::move(*jit);
  if (llvm::Error error = addLibraries(*state->jit)) {
    return failure(std::move(error));
  }
  const llvm::orc::ThreadSafeContext shared(std::move(context));
  for (std::unique_ptr<llvm::Module> &module : modules) {
    state->before += textOf(*module);
    optimize(*module, **machine, options.lower.compile);
    state->after += textOf(*module);
    if (llvm::Error error = state->jit->addIRModule(llvm::orc::ThreadSafeModule(std::move(module), shared))) {
      return failure(std::move(error));
    }
  }
  auto address = state->jit->lookup(entry->symbol);
  if (!address) {
    return failure(address.takeError());
  }
  state->entry = address->toPtr<Entry>();
  return std::unique_ptr<CompiledGraph>(new CompiledGraph(std::move(state)));
}

Result<std::vector<ReferenceArray>> CompiledGraph::run(const std::vector<ReferenceArray> &inputs) const {
  const graph::Graph &root = *m_state->root;
  std::vector<graph::Shape> inputShapes;
  std::vector<GuardedBuffer> memory;
  std::vector<const void *> inputPointers;
  for (const ReferenceArray &input : inputs) {
    inputShapes.push_back(input.shape);
    memory.push_back(memoryOf(input));
    inputPointers.push_back(memory.back().data());
  }
  const Result<std::vector<std::int64_t>> sizes = graph::evaluateShapes(root, inputShapes);
  if (!sizes) {
    return std::unexpected(sizes.error());
  }
  const graph::SizeLayout layout = graph::sizeLayoutOf(root);
  std::vector<graph::Shape> shapes;
  std::vector<GuardedBuffer> outputs;
  std::vector<void *> outputPointers;
  for (const graph::NodeIndex result : root.results()) {
    const graph::TensorType &type = root.node(result).type;
    shapes.emplace_back(std::span(*sizes).subspan(layout.nodeOffset[result], type.shape.rank()));
    outputs.emplace_back(static_cast<std::size_t>(shapes.back().elementCount()) * graph::byteSize(type.dtype));
    outputPointers.push_back(outputs.back().data());
  }
  const bool isStatic = root.isStatic();
  const GuardedBuffer scratch(static_cast<std::size_t>(
      lower::scratchBytes(m_state->scratch, isStatic ? std::span<const std::int64_t>() : std::span(*sizes))));
  m_state->entry(inputPointers.data(), outputPointers.data(), scratch.data(), isStatic ? nullptr : sizes->data());

  std::vector<ReferenceArray> results;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].isIntact()) {
      return fail(ErrorCode::Internal, fmt::format("result {} was written past its end", i));
    }
    results.push_back(arrayIn(outputs[i], root.resultType(i).dtype, shapes[i]));
  }
  const bool areInputsIntact = std::ranges::all_of(memory, [](const GuardedBuffer &buffer) { return buffer.isIntact(); });
  if (!scratch.isIntact() || !areInputsIntact) {
    return fail(ErrorCode::Internal, "scratch or input memory was written past its end");
  }
  return results;
}

std::string checkAgainstReference(const std::shared_ptr<const graph::Graph> &root, const std::vector<ReferenceArray> &inputs,
                                  const HarnessOptions &options, double ulps) {
  const auto compiled = CompiledGraph::compile(root, options);
  if (!compiled) {
    return base::describe(compiled.error());
  }
  const auto actual = (*compiled)->run(inputs);
  if (!actual) {
    return base::describe(actual.error());
  }
  return firstDifference(*actual, evaluate(*root, inputs), ulps);
}

} // namespace jitscope::testing
