// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/dispatch/argument_numbers.h"

#include "graph/numbers/number_checks.h"

#include <llvm/ADT/SmallVector.h>

namespace jitscope::runtime {

base::Result<void> checkArgumentNumbers(const graph::Graph &graph, std::span<const script::Argument> arguments) {
  llvm::SmallVector<std::optional<graph::Number>, 8> numbers;
  for (const script::Argument &argument : arguments) {
    if (const auto *tensor = std::get_if<graph::Tensor>(&argument)) {
      numbers.push_back(numberOf(*tensor));
    }
  }
  return checkNumbers(graph, {numbers.data(), numbers.size()});
}

} // namespace jitscope::runtime
