// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/dispatch/dispatch_options.h"

namespace jitscope::runtime {

void OptionsInForce::set(const DispatchOptions &options) {
  m_options = options;
  m_text = lower::toText(m_options.compile);
  m_key = base::hashText(m_text).low;
  m_known.emplace(m_text, m_options.compile);
}

} // namespace jitscope::runtime
