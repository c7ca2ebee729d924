-- A cache that is one entry too small. Least recently used leaves first, so three templates in turn never find room for two.
--
-- What to look at in the report:
--   * Section "room for two": after the first round every miss has the reason evicted. The work done is that of a cache of size 0.
--   * Section "room for three": the same calls, one compile, then hits.
--   * The table `eviction` of the session has each departure with its time and the bytes of code that it freed.

local energy = fn("energy", function(x) return (x * x):sum() end)

local x = { normal({ 32 }, "f32", 1), normal({ 64 }, "f32", 2), normal({ 128 }, "f32", 3) }

local function round()
  for _, input in ipairs(x) do energy(input) end
end

section "room for two"
options { capacity_entries = 2 }
expect.compiles(3, round)
expect.compiles(3, round)
expect.compiles(3, round)

section "room for three"
options { capacity_entries = 3 }
expect.compiles(1, round) -- the two latest were still there
expect.compiles(0, round)
