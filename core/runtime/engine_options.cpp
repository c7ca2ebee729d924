// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/engine_options.h"

#include "base/number.h"
#include "script/lua/near_name.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

namespace jitscope::runtime {

using base::ErrorCode;
using base::fail;
using base::Result;
using script::OptionValue;

namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20U;
constexpr double kNsPerSecond = 1e9;

/// One option: how its value is set and shown. A setter returns "", or the values that the option takes if this is none of them.
struct Option {
  std::string_view name;
  std::string_view help;
  OptionScope scope;
  std::string (*set)(EngineOptions &, const OptionValue &);
  std::string (*show)(const EngineOptions &);
};

std::string setFlag(bool &target, const OptionValue &value) {
  if (const bool *flag = std::get_if<bool>(&value)) {
    target = *flag;
    return "";
  }
  return "true or false";
}

/// A whole number within bounds.
std::string setWhole(std::int64_t &target, const OptionValue &value, std::int64_t minimum, std::int64_t maximum) {
  const auto *whole = std::get_if<std::int64_t>(&value);
  const auto *real = std::get_if<double>(&value);
  const bool isWhole = whole != nullptr || (real != nullptr && std::trunc(*real) == *real && std::abs(*real) < 1e15);
  const std::int64_t number = whole != nullptr ? *whole : isWhole ? static_cast<std::int64_t>(*real) : 0;
  if (!isWhole || number < minimum || number > maximum) {
    return fmt::format("a whole number from {} to {}", minimum, maximum);
  }
  target = number;
  return "";
}

std::string setBytes(std::uint64_t &target, const OptionValue &value) {
  std::int64_t mebibytes = 0;
  std::string wanted = setWhole(mebibytes, value, 1, std::int64_t{1} << 30U);
  if (wanted.empty()) {
    target = static_cast<std::uint64_t>(mebibytes) * kMiB;
  }
  return wanted;
}

std::string setText(std::string &target, const OptionValue &value) {
  if (const std::string *text = std::get_if<std::string>(&value); text != nullptr && !text->empty()) {
    target = *text;
    return "";
  }
  return "a name";
}

/// A capacity; `false` removes the bound.
std::string setCapacity(std::optional<std::uint64_t> &target, const OptionValue &value) {
  if (const bool *flag = std::get_if<bool>(&value); flag != nullptr && !*flag) {
    target.reset();
    return "";
  }
  std::int64_t number = 0;
  if (std::string wanted = setWhole(number, value, 0, std::int64_t{1} << 50U); !wanted.empty()) {
    return wanted + ", or false for no bound";
  }
  target = static_cast<std::uint64_t>(number);
  return "";
}

constexpr std::array<std::string_view, 3> kIrDetails{"off", "stages", "passes"};

/// The command line reads "off" as false.
bool isOff(const OptionValue &value) {
  const bool *flag = std::get_if<bool>(&value);
  return flag != nullptr && !*flag;
}

std::string setIrDetail(pipeline::IrDetail &target, const OptionValue &value) {
  if (isOff(value)) {
    target = pipeline::IrDetail::Off;
    return "";
  }
  const std::string *text = std::get_if<std::string>(&value);
  const auto *const found = text == nullptr ? kIrDetails.end() : std::ranges::find(kIrDetails, *text);
  if (found == kIrDetails.end()) {
    return R"("off", "stages" or "passes")";
  }
  target = static_cast<pipeline::IrDetail>(found - kIrDetails.begin());
  return "";
}

std::string setRemarks(pipeline::Observation &target, const OptionValue &value) {
  std::string text = "off";
  if (std::string wanted = isOff(value) ? "" : setText(text, value); !wanted.empty()) {
    return R"(names of passes such as "loop-vectorize,inline", "all" or "off")";
  }
  target.allRemarks = text == "all";
  target.remarkPasses.clear();
  if (text != "all" && text != "off") {
    llvm::SmallVector<llvm::StringRef> names;
    llvm::StringRef(text).split(names, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (const llvm::StringRef name : names) {
      target.remarkPasses.insert(name.trim().str());
    }
  }
  return "";
}

std::string showRemarks(const pipeline::Observation &observation) {
  return observation.allRemarks             ? "all"
         : observation.remarkPasses.empty() ? "off"
                                            : fmt::format("{}", fmt::join(observation.remarkPasses, ","));
}

std::string showFlag(bool flag) { return flag ? "true" : "false"; }
std::string showCapacity(const std::optional<std::uint64_t> &capacity) { return capacity ? std::to_string(*capacity) : "false"; }

const std::array kOptions{
    Option{"blas_threads", "threads of one OpenBLAS call", OptionScope::CommandLine,
           [](EngineOptions &o, const OptionValue &v) { return setWhole(o.blasThreads, v, 1, 1024); },
           [](const EngineOptions &o) { return std::to_string(o.blasThreads); }},
    Option{"call_depth", "maximum depth of functions that trace each other", OptionScope::CommandLine,
           [](EngineOptions &o, const OptionValue &v) { return setWhole(o.callDepth, v, 1, 2000); },
           [](const EngineOptions &o) { return std::to_string(o.callDepth); }},
    Option{"capacity_bytes", "maximum bytes of code in the cache; false: no bound", OptionScope::Script,
           [](EngineOptions &o, const OptionValue &v) { return setCapacity(o.dispatch.cache.capacityBytes, v); },
           [](const EngineOptions &o) { return showCapacity(o.dispatch.cache.capacityBytes); }},
    Option{"capacity_entries", "maximum number of executables in the cache; 0: cache off, false: no bound", OptionScope::Script,
           [](EngineOptions &o, const OptionValue &v) { return setCapacity(o.dispatch.cache.capacityEntries, v); },
           [](const EngineOptions &o) { return showCapacity(o.dispatch.cache.capacityEntries); }},
    Option{"cpu", "CPU to compile for, by its LLVM name; native: this machine's", OptionScope::Script,
           [](EngineOptions &o, const OptionValue &v) { return setText(o.dispatch.compile.cpu, v); },
           [](const EngineOptions &o) { return o.dispatch.compile.cpu; }},
    Option{"disk_cache", "also store object code on disk", OptionScope::Script,
           [](EngineOptions &o, const OptionValue &v) { return setFlag(o.dispatch.usesDisk, v); },
           [](const EngineOptions &o) { return showFlag(o.dispatch.usesDisk); }},
    Option{"fast_math", "let the optimizer reorder and contract float operations", OptionScope::Script,
           [](EngineOptions &o, const OptionValue &v) { return setFlag(o.dispatch.compile.fastMath, v); },
           [](const EngineOptions &o) { return showFlag(o.dispatch.compile.fastMath); }},
    Option{"graph_operations", "maximum number of operations in one function's graph", OptionScope::CommandLine,
           [](EngineOptions &o, const OptionValue &v) { return setWhole(o.graphOperations, v, 1, 100'000'000); },
           [](const EngineOptions &o) { return std::to_string(o.graphOperations); }},
    Option{"ir", "IR to record: off, stages, or passes (also after every pass that changes it)", OptionScope::Script,
           [](EngineOptions &o, const OptionValue &v) { return setIrDetail(o.dispatch.observation.ir, v); },
           [](const EngineOptions &o) { return std::string(kIrDetails.at(static_cast<std::size_t>(o.dispatch.observation.ir))); }},
    Option{"loop_vectorize", "vectorize loops", OptionScope::Script,
           [](EngineOptions &o, const OptionValue &v) { return setFlag(o.dispatch.compile.loopVectorize, v); },
           [](const EngineOptions &o) { return showFlag(o.dispatch.compile.loopVectorize); }},
    Option{"memory_mib", "maximum memory of Lua values, MiB", OptionScope::CommandLine,
           [](EngineOptions &o, const OptionValue &v) { return setBytes(o.luaMemoryBytes, v); },
           [](const EngineOptions &o) { return std::to_string(o.luaMemoryBytes / kMiB); }},
    Option{"opt", "optimization level, 0 to 3", OptionScope::Script,
           [](EngineOptions &o, const OptionValue &v) {
             std::int64_t level = 0;
             std::string wanted = setWhole(level, v, 0, 3);
             o.dispatch.compile.opt = wanted.empty() ? static_cast<int>(level) : o.dispatch.compile.opt;
             return wanted;
           },
           [](const EngineOptions &o) { return std::to_string(o.dispatch.compile.opt); }},
    Option{"passes", "record the time and effect of every pass", OptionScope::Script,
           [](EngineOptions &o, const OptionValue &v) { return setFlag(o.dispatch.observation.passes, v); },
           [](const EngineOptions &o) { return showFlag(o.dispatch.observation.passes); }},
    Option{"pipeline", "order in which functions are optimized and linked", OptionScope::Script,
           [](EngineOptions &o, const OptionValue &v) { return setText(o.dispatch.compile.pipeline, v); },
           [](const EngineOptions &o) { return o.dispatch.compile.pipeline; }},
    Option{"remarks", "passes whose remarks to record, separated by commas; all: every pass, off: none", OptionScope::Script,
           [](EngineOptions &o, const OptionValue &v) { return setRemarks(o.dispatch.observation, v); },
           [](const EngineOptions &o) { return showRemarks(o.dispatch.observation); }},
    Option{"script_mib", "maximum size of a script file, MiB", OptionScope::CommandLine,
           [](EngineOptions &o, const OptionValue &v) { return setBytes(o.scriptFileBytes, v); },
           [](const EngineOptions &o) { return std::to_string(o.scriptFileBytes / kMiB); }},
    Option{"slp", "vectorize straight-line code", OptionScope::Script,
           [](EngineOptions &o, const OptionValue &v) { return setFlag(o.dispatch.compile.slp, v); },
           [](const EngineOptions &o) { return showFlag(o.dispatch.compile.slp); }},
    Option{"template", "what templates include of shapes: exact (all sizes) or rank (the number of axes)", OptionScope::Script,
           [](EngineOptions &o, const OptionValue &v) {
             const std::string *text = std::get_if<std::string>(&v);
             if (text == nullptr || (*text != "exact" && *text != "rank")) {
               return std::string(R"("exact" or "rank")");
             }
             o.dispatch.templateMode = *text == "rank" ? TemplateMode::Rank : TemplateMode::Exact;
             return std::string();
           },
           [](const EngineOptions &o) { return std::string(o.dispatch.templateMode == TemplateMode::Rank ? "rank" : "exact"); }},
    Option{"tensor_mib", "maximum memory of live tensors, MiB", OptionScope::CommandLine,
           [](EngineOptions &o, const OptionValue &v) { return setBytes(o.tensorBytes, v); },
           [](const EngineOptions &o) { return std::to_string(o.tensorBytes / kMiB); }},
    Option{"trace_time_s", "maximum time that Lua may run without calling a function, sleep aside, seconds",
           OptionScope::CommandLine,
           [](EngineOptions &o, const OptionValue &v) {
             const auto *whole = std::get_if<std::int64_t>(&v);
             const auto *real = std::get_if<double>(&v);
             const double seconds = whole != nullptr ? static_cast<double>(*whole) : real != nullptr ? *real : 0;
             if (!(seconds > 0 && seconds <= 1e6)) {
               return std::string("seconds, more than 0 and at most 1000000");
             }
             o.traceNs = static_cast<std::uint64_t>(seconds * kNsPerSecond);
             return std::string();
           },
           [](const EngineOptions &o) { return fmt::format("{}", static_cast<double>(o.traceNs) / kNsPerSecond); }},
    Option{"veclib", "use vector math functions from glibc's libmvec, with errors up to 4 ulp", OptionScope::Script,
           [](EngineOptions &o, const OptionValue &v) { return setFlag(o.dispatch.compile.veclib, v); },
           [](const EngineOptions &o) { return showFlag(o.dispatch.compile.veclib); }},
};

std::string show(const OptionValue &value) {
  return std::visit([](const auto &v) { return fmt::format("{}", v); }, value);
}

std::vector<std::string_view> namesFor(OptionScope scope) {
  std::vector<std::string_view> names;
  for (const Option &option : kOptions) {
    if (scope == OptionScope::CommandLine || option.scope == OptionScope::Script) {
      names.push_back(option.name);
    }
  }
  return names;
}

std::unexpected<base::Error> unknownOption(std::string_view name, OptionScope scope) {
  // A script is told of the command line's options, too: it learns where to give them.
  const std::string_view nearest = script::nearestName(name, namesFor(OptionScope::CommandLine));
  const std::string suggestion = nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
  return fail(ErrorCode::RuntimeOption,
              fmt::format("there is no option '{}'{} (there are: {})", name, suggestion, fmt::join(namesFor(scope), ", ")));
}

/// What a word on a command line means: true, false, a number, or itself.
OptionValue valueFromText(std::string_view text) {
  if (text == "true" || text == "on" || text == "yes") {
    return true;
  }
  if (text == "false" || text == "off" || text == "no") {
    return false;
  }
  if (const std::optional<std::int64_t> whole = base::numberFrom<std::int64_t>(text)) {
    return *whole;
  }
  if (const std::optional<double> real = base::numberFrom<double>(text)) {
    return *real;
  }
  return std::string(text);
}

} // namespace

Result<void> setOption(EngineOptions &options, OptionScope scope, std::string_view name, const OptionValue &value) {
  const auto *option = std::ranges::find(kOptions, name, &Option::name);
  if (option == kOptions.end()) {
    return unknownOption(name, scope);
  }
  if (scope == OptionScope::Script && option->scope == OptionScope::CommandLine) {
    return fail(
        ErrorCode::RuntimeOption,
        fmt::format("option '{}' applies to a whole run: give it on the command line as --set {}={}", name, name, show(value)));
  }
  EngineOptions changed = options;
  if (const std::string wanted = option->set(changed, value); !wanted.empty()) {
    return fail(ErrorCode::RuntimeOption, fmt::format("option '{}' cannot be {}: it takes {}", name, show(value), wanted));
  }
  options = std::move(changed);
  return {};
}

Result<void> setOptionFromText(EngineOptions &options, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == assignment.size()) {
    return fail(ErrorCode::RuntimeOption, fmt::format("--set takes NAME=VALUE, not '{}' (names: {})", assignment,
                                                      fmt::join(namesFor(OptionScope::CommandLine), ", ")));
  }
  return setOption(options, OptionScope::CommandLine, assignment.substr(0, equals), valueFromText(assignment.substr(equals + 1)));
}

std::vector<OptionDescription> describeOptions(const EngineOptions &options) {
  std::vector<OptionDescription> descriptions;
  for (const Option &option : kOptions) {
    descriptions.push_back({std::string(option.name), option.show(options), std::string(option.help)});
  }
  return descriptions;
}

} // namespace jitscope::runtime
