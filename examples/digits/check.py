#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare the mini-app's outputs in DIR with NumPy's float64 answers: check.py DIR

DIR holds what make_arrays.py wrote and one or more of y.npy (average_mv), b.npy (transpose) and
result.npy (yax). Prints one line an array. Exit: 0 all right, 1 one is wrong, 2 no output is there,
or an array is missing or cannot be read.

The bound is set before looking at the result (Higham, Accuracy and Stability of Numerical
Algorithms, 2nd ed., section 3.1): whatever the order of summation, |computed - exact| <= gamma(k)
times the same sum over absolute values, with gamma(k) = k u / (1 - k u), u the unit roundoff of the
output's type and k the roundings on the way from an input to the result. A transpose is exact.
"""

import pathlib
import sys

import numpy as np


def gamma(k, dtype):
    u = np.finfo(dtype).eps / 2
    return k * u / (1 - k * u)


def check_sum(name, got, want, magnitude, k):
    """`k` roundings in the output's type; NumPy's own answer has as many in float64."""
    if got.dtype not in (np.float32, np.float64) or got.shape != want.shape:
        print(f"{name}: WRONG, {got.dtype} {got.shape} instead of f4 or f8 {want.shape}")
        return False
    bound = (gamma(k, got.dtype) + gamma(k, np.float64)) * magnitude
    error = np.abs(got.astype("f8") - want)
    good = bool(np.all(error <= bound))  # a NaN is not <=
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.max(np.where(error == 0, 0, error / bound))
    print(f"{name}: {'right' if good else 'WRONG'}, largest error {np.max(error):.3g}, "
          f"{share:.3g} of its bound")
    return good


def check_average_mv(load):
    v, a = load("v").astype("f8"), load("a").astype("f8")
    length, count = v.shape[1:]
    # count - 1 additions, 2 for the mean (a reciprocal and a product), a product, length - 1
    # additions, and 2 in case v and a were converted to another type.
    k = count + length + 3
    want = a @ v.mean(axis=2).T
    return check_sum("y", load("y"), want, np.abs(a) @ np.abs(v).mean(axis=2).T, k)


def check_transpose(load):
    got, want = load("b"), load("images").T
    good = got.dtype == want.dtype and np.array_equal(got, want)
    print(f"b: {'right, every element equal' if good else 'WRONG'}")
    return good


def check_yax(load):
    y, a, x = load("yax_y"), load("yax_a"), load("yax_x")
    # Two products, two sums, and 3 in case y, a and x were converted to another type.
    k = len(y) + len(x) + 3
    want, magnitude = y @ a @ x, np.abs(y) @ np.abs(a) @ np.abs(x)
    got = load("result")
    return check_sum("result", got.reshape(()) if got.size == 1 else got, want, magnitude, k)


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    folder = pathlib.Path(sys.argv[1])
    checks = {"y": check_average_mv, "b": check_transpose, "result": check_yax}
    present = [name for name in checks if (folder / f"{name}.npy").exists()]
    if not present:
        print(f"{folder}: none of y.npy, b.npy, result.npy is there", file=sys.stderr)
        return 2
    try:
        results = [checks[name](lambda array: np.load(folder / f"{array}.npy")) for name in present]
    except (OSError, ValueError, EOFError) as error:
        print(f"{folder}: {error}", file=sys.stderr)
        return 2
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
