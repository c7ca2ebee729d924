-- What of an argument is part of the template: of a tensor its dtype and shape, of a number its kind, of anything else its value.
--
-- What to look at in the report:
--   * "sigmoid" after "tanh" is a miss with the reason static-value; the difference names both.
--   * Another factor is a hit: a Lua number becomes a scalar tensor, and a tensor's contents never key. An integer where a float was
--     is another dtype.
--   * A static argument that has no effect on the graph is a retrace: the body ran again, an equal graph had been compiled already.

local activate = fn("activate", function(x, kind)
  if kind == "tanh" then return tanh(x) end
  if kind == "sigmoid" then return sigmoid(x) end
  error("no activation is called " .. tostring(kind))
end)

local scale = fn("scale", function(x, factor) return x * factor end)

local smooth = fn("smooth", function(x, settings)
  for _ = 1, settings.rounds do x = 0.5 * x + 0.25 end
  return x
end)

local x = normal({ 1000 }, "f32", 7)

section "a string keys by its value"
expect.outcome(time("tanh", activate, x, "tanh"), "miss")
expect.outcome(time("sigmoid", activate, x, "sigmoid"), "miss")
expect.outcome(time("tanh again", activate, x, "tanh"), "hit")

section "a number keys by its kind"
expect.outcome(time("factor 2.0", scale, x, 2.0), "miss")
expect.outcome(time("factor 3.5", scale, x, 3.5), "hit")
expect.outcome(time("factor 3", scale, x, 3), "miss")

section "a table keys by what is in it"
expect.outcome(time("3 rounds", smooth, x, { rounds = 3 }), "miss")
expect.outcome(time("3 rounds, another table", smooth, x, { rounds = 3 }), "hit")
expect.outcome(time("4 rounds", smooth, x, { rounds = 4 }), "miss")
expect.outcome(time("4 rounds, and a note", smooth, x, { rounds = 4, note = "not used" }), "retrace")
