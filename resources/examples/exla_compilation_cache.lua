-- Compilation cache: the notebook of this name (EXLA, measured with Benchee) as a graph script.
--
-- A function is compiled the first time it meets a template, that is the dtypes and shapes of its arguments. After that the same
-- template is a cache hit. The body below waits a second while it is traced, so that the price of a miss cannot be overlooked.
--
-- What to look at in the report:
--   * Section "miss, hit and a new shape": calls 1 and 3 are misses, the others hits. The misses are nearly all trace time (the
--     wait); the rest of a miss is milliseconds.
--   * Section "inputs": operations outside of functions are compiled, too. The first compile of a process costs more than those
--     after it, since parts of the compiler have to be loaded: compare the two misses of iota.
--   * The reason of the 256x256 miss: new-shape, with the sizes that changed.
--   * Section "benchmark": the f64 template is new, so its cold leg begins with a miss. Compare maximum, first sample and deviation
--     of the cold and the warm leg; the percentiles hardly see one slow call among thousands.

local dot = fn("Matmul.dot", function(a, b)
  sleep(1000) -- host code: it runs while the graph is traced and is no part of the executable
  return a:dot(b)
end)

local function pair(n)
  local left = iota({ n, n }, "f32")
  return left, left * 0.001
end

section "inputs"
local left64, right64 = pair(64)
local left256, right256 = pair(256)
local left256f64, right256f64 = left256:as_type("f64"), right256:as_type("f64")

section "miss, hit and a new shape"
expect.outcome(time("64x64 first call", dot, left64, right64), "miss")
expect.outcome(time("64x64 same shape", dot, left64, right64), "hit")
expect.outcome(time("256x256 new shape", dot, left256, right256), "miss")
expect.outcome(time("256x256 cached shape", dot, left256, right256), "hit")
expect.outcome(time("64x64 again", dot, left64, right64), "hit") -- the first executable is still there

section "benchmark"
bench {
  warmup = 2, -- seconds that are run and not counted; the warm leg only
  time = 4,
  { "256x256", dot, left256, right256 },
  { "256x256 f64", dot, left256f64, right256f64 },
}
