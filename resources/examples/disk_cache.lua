-- Object code that outlives the process. Run this script twice.
--
-- What to look at in the report:
--   * First run: the first call is a miss. Second run: it is served from disk. `jitscope cache clear` makes the next run a first one.
--   * What a call from disk still costs: its trace, since the graph is part of the key, and loading the object. What it saves:
--     optimizing and code generation, which here take longest.

options { disk_cache = true }

local model = fn("model", function(x, w1, w2)
  local hidden = tanh(x:dot(w1))
  local logits = hidden:dot(w2)
  local scaled = exp(logits - logits:max(1):reshape { -1, 1 })
  return scaled / scaled:sum(1):reshape { -1, 1 }
end)

section "inputs"
local x = normal({ 32, 48 }, "f32", 1)
local w1 = normal({ 48, 64 }, "f32", 2)
local w2 = normal({ 64, 10 }, "f32", 3)

section "from an empty cache or from disk"
local first = time("first call", model, x, w1, w2)
print(first.outcome == "disk" and "The code was on disk already." or "The code is on disk now: run this script again.")

section "memory emptied"
cache.clear() -- forgets what is in memory; the disk keeps its entries
expect.outcome(time("after cache.clear()", model, x, w1, w2), "disk")
expect.outcome(time("once more", model, x, w1, w2), "hit")
