-- Many small functions, each calling the one before: what compiling costs when every function is finished on its own.
--
-- Each function of the chain only reshapes what the one before gives, so there is next to nothing to compute. Function by function
-- the optimizer and the code generator run for each of them all the same; deferred, they run once.

local function reshaped(previous)
  return fn(function(x) return previous(x):reshape { 3, 3 } end)
end

local current = fn("first", function(x) return x * 1.5 + 0.5 end)
for _ = 1, 50 do
  current = reshaped(current)
end
local outer = fn("outer_logp_wrapper", function(x) return current(x) end)

study { outer, zeros({ 9 }, "f64"), repetitions = 2 }
