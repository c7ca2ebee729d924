// SPDX-License-Identifier: GPL-3.0-or-later
#include "lower/target.h"

#include "base/try.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

namespace jitscope::lower {

using base::ErrorCode;
using base::fail;
using base::Result;

namespace {

void initializeNativeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();
  });
}

void initializeAllTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
    llvm::InitializeAllAsmParsers();
  });
}

Result<const llvm::Target *> lookupTarget(const std::string &triple) {
  initializeNativeTarget();
  std::string message;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, message);
  if (target == nullptr) {
    return fail(ErrorCode::CompileTarget, fmt::format("no code generator for {}: {}", triple, message));
  }
  return target;
}

std::unique_ptr<llvm::MCSubtargetInfo> subtargetOf(const TargetSpec &spec) {
  const Result<const llvm::Target *> target = lookupTarget(spec.triple);
  return target ? std::unique_ptr<llvm::MCSubtargetInfo>((*target)->createMCSubtargetInfo(spec.triple, spec.cpu, spec.features))
                : nullptr;
}

/// The names closest to `wanted` in spelling, at most three.
std::vector<std::string> nearestNames(std::string_view wanted, const std::vector<std::string> &names) {
  std::vector<std::pair<unsigned, std::string>> ranked;
  for (const std::string &name : names) {
    ranked.emplace_back(llvm::StringRef(name).edit_distance(wanted), name);
  }
  std::ranges::stable_sort(ranked);
  std::vector<std::string> nearest;
  for (const auto &[distance, name] : ranked) {
    if (nearest.size() < 3) {
      nearest.push_back(name);
    }
  }
  return nearest;
}

/// The host's features, each with its sign, in the order of their names.
std::map<std::string, bool> hostFeatures() {
  std::map<std::string, bool> features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures()) {
    features.emplace(feature.getKey().str(), feature.getValue());
  }
  return features;
}

llvm::CodeGenOptLevel codeGenLevel(int opt) {
  return opt <= 0   ? llvm::CodeGenOptLevel::None
         : opt == 1 ? llvm::CodeGenOptLevel::Less
         : opt == 2 ? llvm::CodeGenOptLevel::Default
                    : llvm::CodeGenOptLevel::Aggressive;
}

} // namespace

std::vector<std::string> knownCpus() {
  std::vector<std::string> names;
  if (const auto subtarget = subtargetOf({llvm::sys::getProcessTriple(), "generic", ""})) {
    for (const llvm::SubtargetSubTypeKV &description : subtarget->getAllProcessorDescriptions()) {
      names.emplace_back(description.Key);
    }
  }
  std::ranges::sort(names);
  return names;
}

Result<TargetSpec> hostTarget(std::string_view cpu) {
  TargetSpec spec{llvm::sys::getProcessTriple(), std::string(cpu), ""};
  JITSCOPE_TRY_VOID(lookupTarget(spec.triple));
  if (cpu == "native") {
    spec.cpu = llvm::sys::getHostCPUName().str();
    std::vector<std::string> features;
    for (const auto &[name, isThere] : hostFeatures()) {
      features.push_back((isThere ? "+" : "-") + name);
    }
    spec.features = fmt::format("{}", fmt::join(features, ","));
    return spec;
  }
  if (const std::vector<std::string> names = knownCpus(); !std::ranges::binary_search(names, spec.cpu)) {
    return fail(ErrorCode::CompileTarget,
                fmt::format("unknown cpu \"{}\"; did you mean {}? \"native\" is this machine's ({})", cpu,
                            fmt::join(nearestNames(cpu, names), ", "), llvm::sys::getHostCPUName().str()));
  }
  return spec;
}

Result<TargetSpec> targetFor(const std::string &triple, std::string_view cpu) {
  const llvm::Triple wanted(llvm::Triple::normalize(triple));
  if (wanted.getArch() == llvm::Triple(llvm::sys::getProcessTriple()).getArch()) {
    Result<TargetSpec> spec = hostTarget(cpu);
    if (spec) {
      spec->triple = wanted.str();
    }
    return spec;
  }
  initializeAllTargets();
  TargetSpec spec{wanted.str(), cpu == "native" ? "" : std::string(cpu), ""};
  JITSCOPE_TRY_VOID(lookupTarget(spec.triple));
  const auto subtarget = subtargetOf(spec);
  if (!spec.cpu.empty() && (subtarget == nullptr || !subtarget->isCPUStringValid(spec.cpu))) {
    return fail(ErrorCode::CompileTarget, fmt::format("unknown cpu \"{}\" for {}", cpu, spec.triple));
  }
  if (spec.cpu.empty() && subtarget != nullptr && subtarget->isCPUStringValid("generic")) {
    spec.cpu = "generic";
  }
  return spec;
}

std::string featuresBeyondCpu(const TargetSpec &spec) {
  const auto plain = subtargetOf({spec.triple, spec.cpu, ""});
  std::vector<std::string> beyond;
  llvm::SmallVector<llvm::StringRef> features;
  llvm::StringRef(spec.features).split(features, ',', -1, /*KeepEmpty=*/false);
  for (const llvm::StringRef feature : features) {
    const llvm::StringRef name = llvm::StringRef(feature).ltrim("+-");
    const bool isImplied = plain != nullptr && plain->checkFeatures(("+" + name).str());
    if (isImplied == feature.starts_with("-")) {
      beyond.push_back(feature.str());
    }
  }
  return fmt::format("{}", fmt::join(beyond, ","));
}

Result<void> checkRunsHere(const TargetSpec &spec) {
  const auto subtarget = subtargetOf(spec);
  if (subtarget == nullptr || llvm::Triple(spec.triple).getArch() != llvm::Triple(llvm::sys::getProcessTriple()).getArch()) {
    return fail(ErrorCode::CompileTarget, fmt::format("code for {} cannot run on this machine", spec.triple));
  }
  std::vector<std::string> missing;
  for (const auto &[name, isThere] : hostFeatures()) {
    if (!isThere && subtarget->checkFeatures("+" + name)) {
      missing.push_back(name);
    }
  }
  if (!missing.empty()) {
    return fail(ErrorCode::CompileTarget, fmt::format("code for cpu \"{}\" cannot run on this machine ({}): it has no {}", spec.cpu,
                                                      llvm::sys::getHostCPUName().str(), fmt::join(missing, ", ")));
  }
  return {};
}

Result<std::unique_ptr<llvm::TargetMachine>> createTargetMachine(const TargetSpec &spec, int opt) {
  JITSCOPE_TRY(const auto target, lookupTarget(spec.triple));
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      spec.triple, spec.cpu, spec.features, llvm::TargetOptions(), llvm::Reloc::PIC_, llvm::CodeModel::Small, codeGenLevel(opt)));
  if (machine == nullptr) {
    return fail(ErrorCode::CompileTarget, fmt::format("no code generator for cpu \"{}\" of {}", spec.cpu, spec.triple));
  }
  return machine;
}

std::unique_ptr<llvm::TargetLibraryInfoImpl> createLibraryInfo(const TargetSpec &spec, bool veclib) {
  const llvm::Triple triple(spec.triple);
  auto library = std::make_unique<llvm::TargetLibraryInfoImpl>(triple);
  if (veclib && triple.getArch() == llvm::Triple::x86_64 && triple.isOSLinux()) {
    library->addVectorizableFunctionsFromVecLib(llvm::TargetLibraryInfoImpl::LIBMVEC_X86, triple);
    // In glibc since 2.35, and not in LLVM's list.
    static const std::array<llvm::VecDesc, 4> kTanh{
        llvm::VecDesc{"llvm.tanh.f64", "_ZGVbN2v_tanh", llvm::ElementCount::getFixed(2), false, "_ZGV_LLVM_N2v"},
        llvm::VecDesc{"llvm.tanh.f64", "_ZGVdN4v_tanh", llvm::ElementCount::getFixed(4), false, "_ZGV_LLVM_N4v"},
        llvm::VecDesc{"llvm.tanh.f32", "_ZGVbN4v_tanhf", llvm::ElementCount::getFixed(4), false, "_ZGV_LLVM_N4v"},
        llvm::VecDesc{"llvm.tanh.f32", "_ZGVdN8v_tanhf", llvm::ElementCount::getFixed(8), false, "_ZGV_LLVM_N8v"}};
    library->addVectorizableFunctions(kTanh);
  }
  return library;
}

} // namespace jitscope::lower
