#!/usr/bin/env Rscript
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes statistics_vectors.json: samples, and what R's own functions say of them. Run it in this folder, with R 4 and nothing but
# its base packages: Rscript statistics_vectors.R > statistics_vectors.json

set.seed(20240501)
json_numbers <- function(x) paste0("[", paste(sprintf("%.17g", x), collapse = ","), "]")
field <- function(name, value) sprintf('"%s": %s', name, value)
interval <- function(x) if (is.null(x)) "null" else json_numbers(x)

# Ranks that enclose a percentile: quantiles of the binomial number of samples below it.
order_interval <- function(x, p) {
  lower <- qbinom(0.025, length(x), p)
  upper <- qbinom(0.975, length(x), p) + 1
  if (lower < 1 || upper > length(x)) return(NULL)
  sort(x)[c(lower, upper)]
}
mode_of <- function(x) {
  counts <- table(x)
  if (max(counts) < 2) return("null")
  sprintf("%.17g", min(as.numeric(names(counts)[counts == max(counts)])))
}

round_up <- function(x) pmax(1, round(x))
long_tail <- function(n, scale) round_up(scale * exp(rnorm(n, 0, 0.4)))
one_miss <- long_tail(999, 350000)
one_miss <- c(1005100000, one_miss)
sets <- list(
  three = c(7, 3, 5),
  five_hundred = long_tail(500, 1000),
  few = round_up(runif(12, 90, 110)),
  ties = round_up(rnorm(200, 50, 3)),
  bimodal = sample(c(round_up(rnorm(300, 1000, 20)), round_up(rnorm(100, 5000, 400)))),
  one_miss = one_miss,
  all_equal = rep(4242, 25),
  hours = round_up(3.6e12 + rnorm(64, 0, 1000))
)

describe <- function(name, x) {
  q <- quantile(x, c(0.25, 0.5, 0.75, 0.9, 0.95, 0.99), type = 6, names = FALSE)
  reach <- 1.5 * (q[3] - q[1])
  mean_interval <- if (sd(x) == 0) c(mean(x), mean(x)) else as.numeric(t.test(x)$conf.int)
  paste0("    {", paste(c(
    field("name", sprintf('"%s"', name)),
    field("samples", json_numbers(x)),
    field("average", sprintf("%.17g", mean(x))),
    field("deviation", sprintf("%.17g", sd(x))),
    field("percentiles", json_numbers(q)),
    field("mode", mode_of(x)),
    field("low_outliers", sum(x < q[1] - reach)),
    field("high_outliers", sum(x > q[3] + reach)),
    field("average_interval", json_numbers(mean_interval)),
    field("median_interval", interval(order_interval(x, 0.5))),
    field("p90_interval", interval(order_interval(x, 0.9))),
    field("p99_interval", interval(order_interval(x, 0.99)))
  ), collapse = ",\n     "), "}")
}

pairs <- list(
  small_apart = list(c(101, 103, 107, 109, 113), c(127, 131, 137, 139, 149)),
  small_mixed = list(sample(seq(1, 401, 2), 20), sample(seq(100, 520, 2), 15)),
  exact_alike = list(sample(seq(1, 2001, 2), 40), sample(seq(2, 2000, 2), 45)),
  with_ties = list(round_up(rnorm(30, 50, 4)), round_up(rnorm(35, 52, 4))),
  large_shifted = list(long_tail(400, 1000), long_tail(300, 1100)),
  large_alike = list(long_tail(300, 5000), long_tail(300, 5000)),
  one_each = list(5, 9)
)

test_pair <- function(name, pair) {
  base <- pair[[1]]
  contender <- pair[[2]]
  test <- suppressWarnings(wilcox.test(base, contender))
  paste0("    {", paste(c(
    field("name", sprintf('"%s"', name)),
    field("base", json_numbers(base)),
    field("contender", json_numbers(contender)),
    field("w", sprintf("%.17g", test$statistic)),
    field("p", sprintf("%.17g", test$p.value))
  ), collapse = ",\n     "), "}")
}
p_of <- function(pair) suppressWarnings(wilcox.test(pair[[1]], pair[[2]]))$p.value

# The ratio of medians of resamples, drawn: what is computed without drawing is held against it with room for chance.
boot <- function(name, pair, times) {
  draw <- function(x) median(sample(x, replace = TRUE))
  ratios <- replicate(times, draw(pair[[2]]) / draw(pair[[1]]))
  paste0("    {", paste(c(
    field("name", sprintf('"%s"', name)),
    field("base", json_numbers(pair[[1]])),
    field("contender", json_numbers(pair[[2]])),
    field("ratio", sprintf("%.17g", median(pair[[2]]) / median(pair[[1]]))),
    field("interval", json_numbers(quantile(ratios, c(0.025, 0.975), type = 6, names = FALSE)))
  ), collapse = ",\n     "), "}")
}

adjust <- list(c(0.01, 0.04, 0.03, 0.005), c(0.5, 0.9, 0.9), c(0.05), c(1e-12, 0.2, 1e-12, 0.06, 0.011), sapply(pairs, p_of))

cat("{\n  \"made_by\": \"", R.version.string, "\",\n", sep = "")
cat("  \"sets\": [\n", paste(mapply(describe, names(sets), sets), collapse = ",\n"), "\n  ],\n", sep = "")
cat("  \"pairs\": [\n", paste(mapply(test_pair, names(pairs), pairs), collapse = ",\n"), "\n  ],\n", sep = "")
cat("  \"shifts\": [\n", paste(c(
  boot("large_shifted", pairs$large_shifted, 40000),
  boot("odd_sizes", list(long_tail(301, 800), long_tail(151, 800)), 40000)
), collapse = ",\n"), "\n  ],\n", sep = "")
cat("  \"holm\": [\n", paste(sapply(adjust, function(p) sprintf('    {"p": %s, "adjusted": %s}', json_numbers(p),
  json_numbers(p.adjust(p, "holm")))), collapse = ",\n"), "\n  ]\n}\n", sep = "")
