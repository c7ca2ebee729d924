-- An expectation that fails, and a loop that is not vectorized per function.
local inner = fn("inner", function(x, y) return x:exp() + y, x - y end)
local outer = fn("outer", function(x, y)
  local a, b = map(inner, x, y)
  return a * b
end)
local x = iota({ 1000 }, "f64")
expect.outcome(time("first", outer, x, x), "hit")
expect.vectorized{ outer, min_width = 64 }
