-- The chain again, with functions that do real work: each multiplies and adds nine elements, so that nothing folds away.
--
-- Function by function, the work of each ends up inlined into all that come after it and is optimized there again: compile time grows
-- with the square of the length, or worse. Deferred, it grows nearly in step with it.
--
-- All of it takes most of a minute, nearly all of that per-function at the length of 200.
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

local x = uniform({ 9 }, "f64", 1)
for _, length in ipairs(lengths) do
  section(length .. " functions")
  study { chain(length), x, pipelines = { "per-function", "deferred", "pre-link" }, repetitions = 1 }
end
