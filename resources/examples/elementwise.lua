-- The same arithmetic twice: as one function, whose operations fuse into one loop, and operation by operation.
--
-- What to look at in the report:
--   * Section "operation by operation": each operation is a function of its own in the cache, and each has its miss.
--   * Section "benchmark": one function over two inputs, measured cold (a fresh process with an empty cache) and warm.

local function gelu(x)
  return 0.5 * x * (1 + tanh(0.7978845608 * (x + 0.044715 * x * x * x)))
end

local fused = fn("gelu", gelu)

section "inputs"
local small = normal({ 1000 }, "f32", 1)
local large = normal({ 1000, 1000 }, "f32", 2)

section "one function"
local result
expect.compiles(1, function() result = fused(small) end)

section "operation by operation"
local stepwise = gelu(small)
expect.equal(result, stepwise, 1e-5)

section "benchmark"
bench {
  warmup = 0.2,
  time = 0.5,
  inputs = { small = { small }, large = { large } },
  { "gelu", fused, check = function(y) return y:shape()[1] == 1000 end }, -- before it is measured
}
expect.no_compiles { case = "gelu", input = "small" }
expect.percentile { case = "gelu", input = "small", leg = "warm", p = 99, below_ms = 50 }
