// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace jitscope::base {

/// Called by a child between fork and exec: the kernel then sends it `signal` as soon as the thread that started it ends, for any
/// reason. `parent` is the process id of that thread's process, read before the fork. False if the parent has already ended or the
/// kernel refuses. Makes system calls only.
[[nodiscard]] bool endWithParent(int signal, int parent) noexcept;

} // namespace jitscope::base
