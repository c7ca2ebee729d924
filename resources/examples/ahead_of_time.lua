-- Compiling before the first call, so that no caller has to wait for it.
--
-- What to look at in the report:
--   * The compiles of section "start-up" belong to no call; every call is a hit.
--   * `cache.contains` asks and changes nothing: it compiles nothing and runs nothing.

local step = fn("step", function(state, input)
  local next_state = tanh(state:dot(input))
  return next_state, next_state:mean()
end)

local sizes = { 16, 32, 64 }
local inputs = {}
for i, n in ipairs(sizes) do
  inputs[i] = { normal({ n, n }, "f32", i), normal({ n, n }, "f32", 100 + i) }
end

section "start-up"
for i, n in ipairs(sizes) do
  local state, input = inputs[i][1], inputs[i][2]
  expect.equal(cache.contains(step, state, input), false)
  expect.outcome(compile(step, state, input), "miss")
  expect.equal(cache.contains(step, state, input), true)
end

section "in service"
for i, n in ipairs(sizes) do
  expect.outcome(time(n .. "x" .. n, step, inputs[i][1], inputs[i][2]), "hit")
end
