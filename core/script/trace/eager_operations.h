// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "script/host.h"
#include "script/trace/operation.h"

#include <optional>
#include <string>
#include <unordered_map>

namespace jitscope::script {

/// Operations outside of any trace: each kind is a function of the engine. It is defined at its first use and goes through the
/// cache like every other function. Used by the script's thread.
class EagerOperations {
public:
  /// The engine's function for this kind of operation.
  base::FunctionId functionFor(Host &host, const Operation &operation);
  /// The static argument that carries the operation's attributes; none where it has none.
  static std::optional<Argument> attributeArgument(const Operation &operation);

private:
  std::unordered_map<std::string, base::FunctionId> m_functions; // by name
};

} // namespace jitscope::script
