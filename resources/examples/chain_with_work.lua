-- The chain again, with functions that do real work: each multiplies and adds 256 elements in a loop, so that nothing folds away.
--
-- Function by function, the work of each ends up in all that come after it, inlined or as a copy, and is optimized and turned into
-- code there again: compile time grows with the square of the length. Deferred, all of it is vectorized and emitted once.
--
-- All of it takes some three minutes, most of them per-function at the length of 200.
local lengths = { 10, 50, 100, 200 }

local function chain(length)
  local current
  for i = 1, length do
    local previous = current
    current = fn("link " .. i .. " of " .. length, function(x)
      return (previous and previous(x) or x) * x + 0.5 * i
    end)
  end
  return current
end

local x = uniform({ 256 }, "f64", 1)
for _, length in ipairs(lengths) do
  section(length .. " functions")
  study { chain(length), x, pipelines = { "per-function", "deferred", "pre-link" }, repetitions = 1 }
end
