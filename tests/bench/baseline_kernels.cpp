// SPDX-License-Identifier: GPL-3.0-or-later
#include "baseline_kernels.h"

#include <cmath>

// Results and operands do not overlap, which generated code knows as well.
void baselineMultiplyAdd(const float *__restrict a, const float *__restrict b, const float *__restrict c, float *__restrict result,
                         std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    result[i] = a[i] * b[i] + c[i];
  }
}

void baselineScaleShift(const float *__restrict a, float *__restrict result, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    result[i] = std::sqrt(a[i] * 0.5F + 1.5F);
  }
}

float baselineSum(const float *a, std::size_t count) {
  float sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum += a[i];
  }
  return sum;
}

float baselineMax(const float *a, std::size_t count) {
  float most = -INFINITY;
  for (std::size_t i = 0; i < count; ++i) {
    // A NaN wins, as in NumPy.
    most = a[i] > most || std::isnan(a[i]) ? a[i] : most;
  }
  return most;
}

std::size_t baselineArgMax(const float *a, std::size_t count) {
  float most = -INFINITY;
  std::size_t place = 0;
  for (std::size_t i = 0; i < count; ++i) {
    // The first of several, and a NaN before all else.
    const bool isBetter = !(a[i] <= most) && !std::isnan(most);
    most = isBetter ? a[i] : most;
    place = isBetter ? i : place;
  }
  return place;
}

float baselineSumOfExp(const float *a, const float *b, std::size_t count) {
  float sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum += std::exp(a[i]) * b[i];
  }
  return sum;
}

void baselineTwoExps(const double *__restrict a, const double *__restrict b, const double *__restrict c, double *__restrict first,
                     double *__restrict second, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const double quotient = a[i] / b[i];
    first[i] = std::exp(quotient / b[i]);
    second[i] = std::exp((quotient * c[i]) / b[i]);
  }
}

void baselineColumnSum(const float *__restrict a, float *__restrict result, std::size_t rows, std::size_t columns) {
  for (std::size_t column = 0; column < columns; ++column) {
    result[column] = 0;
  }
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      result[column] += a[row * columns + column];
    }
  }
}

void baselineRowSum(const float *__restrict a, float *__restrict result, std::size_t rows, std::size_t columns) {
  for (std::size_t row = 0; row < rows; ++row) {
    float sum = 0;
    for (std::size_t column = 0; column < columns; ++column) {
      sum += a[row * columns + column];
    }
    result[row] = sum;
  }
}
