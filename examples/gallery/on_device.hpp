// Marks functions that kernels in Kokkos, CUDA and OpenMP share.
#pragma once

#if defined(__CUDACC__) || defined(__HIPCC__)
#define ON_DEVICE __host__ __device__
#else
#define ON_DEVICE
#endif
