// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

/// The loops that generated kernels are held against, compiled by clang -O3 -march=native.
extern "C" {
void baselineMultiplyAdd(const float *a, const float *b, const float *c, float *result, std::size_t count);
void baselineScaleShift(const float *a, float *result, std::size_t count);
float baselineSum(const float *a, std::size_t count);
std::size_t baselineArgMax(const float *a, std::size_t count);
float baselineSumOfExp(const float *a, const float *b, std::size_t count);
/// exp((a / b) / b) and exp(((a / b) * c) / b) of each element.
void baselineTwoExps(const double *a, const double *b, const double *c, double *first, double *second, std::size_t count);
float baselineMax(const float *a, std::size_t count);
void baselineColumnSum(const float *a, float *result, std::size_t rows, std::size_t columns);
void baselineRowSum(const float *a, float *result, std::size_t rows, std::size_t columns);
}
