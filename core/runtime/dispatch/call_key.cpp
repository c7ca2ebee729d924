// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/dispatch/call_key.h"

#include <llvm/ADT/SmallVector.h>

namespace jitscope::runtime {

base::Hash128 callKeyOf(base::FunctionId function, std::uint64_t optionsKey, TemplateMode mode,
                        std::span<const script::Argument> arguments) {
  llvm::SmallVector<std::uint64_t, 64> words;
  words.push_back(std::uint64_t{function.value} << 8U | static_cast<std::uint64_t>(mode));
  words.push_back(optionsKey);
  for (const script::Argument &argument : arguments) {
    if (const auto *tensor = std::get_if<graph::Tensor>(&argument)) {
      // The first word tells a tensor from a static value (bit 0) and how many words follow.
      words.push_back(std::uint64_t{tensor->shape.rank()} << 16U | static_cast<std::uint64_t>(tensor->dtype) << 8U |
                      (tensor->weak ? 2U : 0U));
      if (mode == TemplateMode::Exact) {
        for (const std::int64_t size : tensor->shape.sizes()) {
          words.push_back(static_cast<std::uint64_t>(size));
        }
      }
    } else {
      const base::Hash128 hash = base::hashText(std::get<script::StaticArgument>(argument).value.text);
      words.append({1, hash.low, hash.high});
    }
  }
  return base::hashWords({words.data(), words.size()});
}

graph::Template templateOf(TemplateMode mode, std::span<const script::Argument> arguments) {
  graph::Template tmpl;
  for (const script::Argument &argument : arguments) {
    if (const auto *tensor = std::get_if<graph::Tensor>(&argument)) {
      tmpl.arguments.emplace_back(tensor->type());
    } else {
      tmpl.arguments.emplace_back(std::get<script::StaticArgument>(argument).value);
    }
  }
  return mode == TemplateMode::Rank ? withDynamicSizes(tmpl) : tmpl;
}

} // namespace jitscope::runtime
