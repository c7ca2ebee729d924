-- A recompile storm: the number of rows differs from call to call, so that with exact templates no call finds what it needs.
--
-- What to look at in the report:
--   * Section "exact templates": every call is a miss. Each reason is new-shape and names the one dimension that differs.
--   * Section "one template for all sizes": the same calls after options{template="rank"}. Sizes are run-time values now, so one
--     compile serves them all.
--   * The executable for all sizes may run somewhat slower than one that knows its sizes: compare the execute times of both sections.

local standardize = fn("standardize", function(batch)
  local centred = batch - batch:mean(0)
  return centred * rsqrt((centred * centred):mean(0) + 1e-5)
end)

section "inputs"
local batches = {}
for i = 1, 12 do
  batches[i] = normal({ 16 + i, 64 }, "f32", i)
end

local function process_all()
  for _, batch in ipairs(batches) do standardize(batch) end
end

section "exact templates"
expect.compiles(#batches, process_all)

section "exact templates, second time"
expect.compiles(0, process_all) -- as long as nothing new comes
expect.templates { standardize, at_most = #batches } -- a budget: one more number of rows breaks it

section "one template for all sizes"
options { template = "rank" }
expect.compiles(1, process_all)
