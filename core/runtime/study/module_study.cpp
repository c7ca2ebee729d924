// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/study/module_study.h"

#include "base/clock.h"
#include "base/try.h"
#include "event/activity.h"
#include "event/sink.h"
#include "jit/object_emitter.h"
#include "pipeline/modules/module_program.h"
#include "pipeline/pipeline.h"
#include "runtime/dispatch/id_registry.h"
#include "runtime/study/study_plan.h"

#include <fmt/format.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

namespace jitscope::runtime {

using base::Result;

namespace {

/// Past so many functions what each pass did to each, and their texts, would fill memory and disk and say little.
constexpr std::size_t kMaxFunctionsInDetail = 1000;

Result<StudyCompile> compileProgram(const pipeline::ModuleProgram &program, const lower::CompileOptions &options,
                                    const pipeline::Observation &observation, const StudyCompiles::Services &services,
                                    event::CompileActivity &activity) {
  const base::Clock &clock = services.clock;
  activity.enter(event::CompilePhase::Lower);
  const std::uint64_t startNs = clock.nowNs();
  JITSCOPE_TRY(std::unique_ptr<llvm::TargetMachine> machine, lower::createTargetMachine(program.target(), options.opt));
  const std::unique_ptr<llvm::TargetLibraryInfoImpl> library = lower::createLibraryInfo(program.target(), options.veclib);
  llvm::LLVMContext context;
  JITSCOPE_TRY(pipeline::PipelineInput input, program.read(context, *machine));
  const std::uint64_t readNs = clock.nowNs() - startNs;
  Result<std::unique_ptr<pipeline::Pipeline>> pipeline = pipeline::makePipeline(options.pipeline);
  if (!pipeline) {
    return std::unexpected(std::move(pipeline.error()));
  }
  const pipeline::PipelineTools tools{*machine,
                                      *library,
                                      options,
                                      clock,
                                      [&](llvm::Module &module) { return jit::emitObject(module, *machine, &activity); },
                                      observation,
                                      nullptr,
                                      &activity,
                                      &services.stopRequested};
  JITSCOPE_TRY(pipeline::PipelineOutput output, (*pipeline)->run(std::move(input), tools));
  StudyCompile made;
  made.lowerNs = readNs;
  made.optimizeNs = output.optimizeNs;
  made.codegenNs = output.codegenNs;
  made.objects = output.emittedObjects;
  made.target = program.target().triple;
  made.target += program.target().cpu.empty() ? "" : " " + program.target().cpu;
  made.trace = std::move(output.trace);
  made.codeBytes = pipeline::codeBytesOf(output.objects);
  return made;
}

Result<std::vector<std::string>> refusalsIn(const pipeline::ModuleProgram &program, const lower::CompileOptions &options) {
  JITSCOPE_TRY(const std::unique_ptr<llvm::TargetMachine> machine, lower::createTargetMachine(program.target(), options.opt));
  return program.inlineRefusals(*machine, *lower::createLibraryInfo(program.target(), options.veclib));
}

/// Without the CPU, which the functions have a say in.
std::string optionsOf(const lower::CompileOptions &options) {
  std::string text = optionsWithoutPipeline(options);
  if (const std::size_t cpu = text.rfind(" cpu="); cpu != std::string::npos) {
    text.resize(cpu);
  }
  return text;
}

Result<pipeline::ModuleProgram> openProgram(const ModuleStudyRequest &request, const pipeline::ModuleProgram::Announce &announce) {
  return pipeline::ModuleProgram::open(request.modules.paths, {request.modules.root, request.modules.triple, request.options.cpu},
                                       announce);
}

} // namespace

Result<void> checkModules(const ModuleStudyRequest &request) {
  std::uint32_t functions = 0;
  JITSCOPE_TRY(const pipeline::ModuleProgram program,
               openProgram(request, [&](const std::string & /*name*/, const std::string & /*symbol*/) {
                 return base::FunctionId(++functions);
               }));
  JITSCOPE_TRY_VOID(refusalsIn(program, request.options));
  return {};
}

Result<std::vector<script::StudyPipeline>> studyModules(const ModuleStudyRequest &request, StudyCompiles::Services services) {
  JITSCOPE_TRY(const std::vector<std::string> pipelines, studiedPipelines(request.pipelines));
  JITSCOPE_TRY(const pipeline::ModuleProgram program, openProgram(request, [&](const std::string &name, const std::string &symbol) {
                 return services.ids.foreignFunction(name, symbol);
               }));
  JITSCOPE_TRY(const std::vector<std::string> refusals, refusalsIn(program, request.options));
  const base::StudyId study = services.ids.nextStudy();
  services.sink.record(event::StudyEvent{study, request.section, program.root(), program.rootName(), request.line, true,
                                         program.target().triple, program.cpus().description(), program.cpus().features(),
                                         optionsOf(request.options)});
  for (const std::vector<std::string> *notes : {&program.notes(), &refusals}) {
    for (const std::string &note : *notes) {
      services.sink.record(event::StudyNoteEvent{study, note});
    }
  }
  pipeline::Observation observation = inDetail(request.observation);
  if (program.functionCount() > kMaxFunctionsInDetail) {
    observation.ir = pipeline::IrDetail::Off;
    observation.passes = false;
    observation.fingerprints = false;
    services.sink.record(event::StudyNoteEvent{
        study, fmt::format("{} functions are too many to record their passes and IR: only phases and remarks were recorded",
                           program.functionCount())});
  }
  const auto compile = [&](const std::string &pipeline, const pipeline::Observation &observed, event::CompileActivity &activity) {
    lower::CompileOptions options = request.options;
    options.pipeline = pipeline;
    return compileProgram(program, options, observed, services, activity);
  };
  StudyCompiles compiles(services, {study, {}, program.rootName(), observation, compile}, pipelines);
  const Result<void> done = compiles.run(request.repetitions);
  compiles.recordResults(request.repetitions);
  if (!done) {
    return std::unexpected(done.error());
  }
  return compiles.summary();
}

} // namespace jitscope::runtime
