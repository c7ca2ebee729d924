-- Everything as expected, and a benchmark whose name needs care.
local double = fn("double", function(x) return x * 2 end)
local input = iota({ 8 }, "f32")
expect.outcome(time("first", double, input), "miss")
bench{ warmup = 0.01, time = 0.1, { 'a case "with" <marks> & \n lines', double, input } }
