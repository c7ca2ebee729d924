-- A loop that one order of optimization vectorizes and another does not.
--
-- `inner` works on scalars and has two results; `outer_logp_wrapper` calls it for each element. Compiled function by function, as
-- Numba does, `inner` is finished first: the SLP vectorizer packs its two results into a <2 x double>. Inlined into the loop after
-- that, these vectors are what the loop vectorizer refuses, and the loop stays scalar. When everything is linked before it is
-- optimized, the loop vectorizer comes first and takes four elements at a time.
--
-- Afterwards look at the difference itself:
--   jitscope diff SESSION --function outer_logp_wrapper --between per-function,deferred --study 1

local inner = fn("inner", function(a1, a2, b1)
  local ratio = a1 / a2
  return exp(ratio / a2), exp(ratio * b1 / a2)
end)

local outer = fn("outer_logp_wrapper", function(a1, a2, b1)
  return map(inner, a1, a2, b1)
end)

local n = 10000
local a1, a2, b1 = normal({ n }, "f64", 1), normal({ n }, "f64", 2), normal({ n }, "f64", 3)

section "every pipeline"
study { outer, a1, a2, b1 }
expect.vectorized { outer, pipeline = "deferred", min_width = 2 }
expect.vectorized { outer, pipeline = "pre-link", min_width = 2 }

-- Numba since 0.57 leaves the SLP vectorizer out, which takes the obstacle away.
section "without the SLP vectorizer"
options { slp = false }
study { outer, a1, a2, b1, pipelines = { "per-function", "deferred" } }
expect.vectorized { outer, pipeline = "per-function", min_width = 2 }
