# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# C++20 for files that nvcc compiles; after enable_language(CUDA), here and where ado is installed.
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  # nvcc 12 and newer compile C++20, which CMake 3.25 (Debian 12) does not know yet.
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  set(CMAKE_CUDA20_COMPILE_FEATURES cuda_std_20)
  list(APPEND CMAKE_CUDA_COMPILE_FEATURES cuda_std_20)
endif()
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_EXTENSIONS OFF)
