// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace jitscope::base {

/// For a child between fork and exec: the kernel sends it `signal` as soon as the thread that started it has ended, however that
/// ends. `parent` is the process id of that thread's process, read before the fork. False when the parent has ended already or the
/// kernel refuses. Makes system calls only.
[[nodiscard]] bool endWithParent(int signal, int parent) noexcept;

} // namespace jitscope::base
