#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Make the mini-app's inputs from the handwritten digits beside this script: make_arrays.py OUTDIR

average_mv   v.npy  f32 (10, 64, 174)  v[n, l, m] = pixel l of the m-th image of digit n; 174 is the
                                       number of images of the digit that has the fewest
             a.npy  f32 (64, 64)       two-dimensional discrete cosine transform of an 8x8 image
transpose    images.npy  f32 (1797, 64)     all images, one a row
yax          yax_y.npy, yax_x.npy  f64 (64,)  mean image of the threes, of the eights, both less
                                              the mean of all images
             yax_a.npy  f64 (64, 64)   inv(C + I) S: C is the covariance of the pixels, S moves an
                                       image one pixel to the right (and is why a is not symmetric)
"""

import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
SIDE = 8  # an image has SIDE x SIDE pixels


def dct_matrix(n):
    """Orthonormal DCT-II of length n: row k holds the cosine with k half-waves."""
    k, i = np.mgrid[:n, :n]
    d = np.sqrt(2 / n) * np.cos(np.pi * (2 * i + 1) * k / (2 * n))
    d[0] /= np.sqrt(2)
    return d


def average_mv_arrays(images, labels):
    """Sets = digits, vectors = images of a digit with m fastest, matrix = 2D DCT."""
    count = np.bincount(labels, minlength=10).min()
    v = np.stack([images[labels == digit][:count].T for digit in range(10)])
    return {"v": v.astype("f4"), "a": np.kron(dct_matrix(SIDE), dct_matrix(SIDE)).astype("f4")}


def yax_arrays(images, labels):
    """Mahalanobis-like product of a three with an eight that is moved one pixel to the right."""
    y, x = (images[labels == digit].mean(axis=0) - images.mean(axis=0) for digit in (3, 8))
    move = np.kron(np.eye(SIDE), np.eye(SIDE, k=-1))
    covariance = np.cov(images, rowvar=False)
    # Some pixels are never inked, so the covariance alone is singular.
    a = np.linalg.inv(covariance + np.eye(SIDE * SIDE)) @ move
    return {"yax_y": y, "yax_a": a, "yax_x": x}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    images = np.load(HERE / "digits.npy").astype("f8")
    labels = np.load(HERE / "labels.npy")
    arrays = {"images": images.astype("f4")}
    arrays |= average_mv_arrays(images, labels) | yax_arrays(images, labels)
    for name, array in arrays.items():
        np.save(out / f"{name}.npy", np.ascontiguousarray(array))
        print(f"{name}.npy  {array.dtype}  {array.shape}")


if __name__ == "__main__":
    main()
