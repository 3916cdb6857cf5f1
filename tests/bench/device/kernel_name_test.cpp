// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels get names that a person recognizes. The symbols come from this project's GPU build.
#include <ado/bench/device/kernel_name.hpp>

#include <gtest/gtest.h>

namespace ado::bench {
namespace {

TEST(KernelName, APortableKernelIsNamedByItsFunctor) {
  EXPECT_EQ(
      readable_kernel_name(
          "_ZN6Kokkos4ImplL33cuda_parallel_launch_local_memoryINS0_11ParallelForIN3ado10FillKe"
          "rnelENS_11RangePolicyIJNS_4CudaENS_9IndexTypeImEEEEES6_EEEEvT_"),
      "FillKernel");
  EXPECT_EQ(
      readable_kernel_name(
          "_ZN6Kokkos4ImplL33cuda_parallel_launch_local_memoryINS0_11ParallelForIN3ado11device"
          "_tile13TransposeWideINS_4CudaEdEENS_10TeamPolicyIJS6_NS_12LaunchBoundsILj256ELj0EE"
          "ENS_9IndexTypeIlEEEEES6_EELj256ELj0EEEvT_"),
      "TransposeWide<Cuda, double>");
}

TEST(KernelName, AReductionIsNamedByTheFunctorInsideItsReducer) {
  EXPECT_EQ(
      readable_kernel_name(
          "_ZN6Kokkos4ImplL33cuda_parallel_launch_local_memoryINS0_14ParallelReduceINS0_22Comb"
          "inedFunctorReducerIN3ado14ChecksumKernelENS0_15FunctorAnalysisINS0_23FunctorPatter"
          "nInterface6REDUCEENS_11RangePolicyIJNS_4CudaENS_9IndexTypeImEEEEES5_mE7ReducerEvEE"
          "SD_SA_EEEEvT_"),
      "ChecksumKernel");
}

TEST(KernelName, LongTemplateArgumentsAreLeftOut) {
  const std::string views =
      "_ZN6Kokkos4ImplL33cuda_parallel_launch_local_memoryINS0_11ParallelForIN3ado13AverageMvFlatIK"
      "NS_4ViewIPPPKdJNS_12LayoutStrideENS_9CudaSpaceENS_12MemoryTraitsILj1EEEEEEKNS5_IS8_JSA_SB_"
      "SD_"
      "EEEKNS5_IPPdJSA_SB_SD_EEEEENS_11RangePolicyIJNS_4CudaENS_9IndexTypeImEEEEESO_EEEEvT_";
  EXPECT_EQ(readable_kernel_name(views), "AverageMvFlat<...>");
  const std::string one_view = "_ZN6Kokkos4ImplL33cuda_parallel_launch_local_memoryINS0_"
                               "11ParallelForINS0_16ViewValueFunctorI"
                               "NS_6DeviceINS_4CudaENS_9CudaSpaceEEEjEENS_11RangePolicyIJS5_NS_"
                               "9IndexTypeIlEENS8_10DestroyTag"
                               "EEEES5_EEEEvT_";
  EXPECT_EQ(readable_kernel_name(one_view),
            "ViewValueFunctor<Device<Cuda, CudaSpace>, unsigned int>");
  const std::string copy = "_ZN6Kokkos4ImplL33cuda_parallel_launch_local_memoryINS0_"
                           "11ParallelForINS0_8ViewCopyINS_4ViewI"
                           "PdJNS_10LayoutLeftENS_6DeviceINS_4CudaENS_14AnonymousSpaceEEENS_"
                           "12MemoryTraitsILj0EEEEEENS4_I"
                           "PKdJS6_SA_SC_EEENS_11LayoutRightES8_Li1EiEENS_11RangePolicyIJS8_NS_"
                           "9IndexTypeIiEEEEES8_EEEEvT"
                           "_";
  EXPECT_EQ(readable_kernel_name(copy),
            "ViewCopy<View<...>, View<...>, LayoutRight, Cuda, 1, int>");
}

TEST(KernelName, AHandWrittenKernelLosesNamespacesAndParameters) {
  EXPECT_EQ(
      readable_kernel_name("_ZN3ado6native56_GLOBAL__N__7b201ee5_17_row_per_thread_cu_3e6fba0c"
                           "_30496L14row_per_threadIdEEvmmPKT_S5_mS5_PS3_"),
      "row_per_thread<double>");
  EXPECT_EQ(
      readable_kernel_name("_ZN3ado6native45_GLOBAL__N__3beca149_7_team_cu_3e6fba0c_29962L8mul"
                           "tiplyILi8ELi4EdEEvmmPKT1_mS5_PS3_m"),
      "multiply<8, 4, double>");
  EXPECT_EQ(
      readable_kernel_name("_ZN3ado6native45_GLOBAL__N__f934e05b_7_flat_cu_3e6fba0c_30134L14tr"
                           "anspose_flatINS0_6HalvesIjEEEEvmmPKT_mPS5_m"),
      "transpose_flat<Halves<unsigned int>>");
}

TEST(KernelName, NsightComputeLeavesOutNamespaces) {
  EXPECT_EQ(
      readable_kernel_name("void native::<unnamed>::block_per_set<float>(native::SetArrays<T1>)"),
      "block_per_set<float>");
  EXPECT_EQ(readable_kernel_name(
                "void Kokkos::cuda_parallel_launch_local_memory<Kokkos::ParallelReduce<"
                "Kokkos::CombinedFunctorReducer<YaxTeam<Kokkos::Cuda, double, 32, 1>, X>, Y>>(T1)"),
            "YaxTeam<Cuda, double, 32, 1>");
}

TEST(KernelName, WhatIsNoCxxSymbolStaysAsItIs) {
  EXPECT_EQ(readable_kernel_name("sm90_xmma_gemm_f32f32_tn_n"), "sm90_xmma_gemm_f32f32_tn_n");
  EXPECT_EQ(readable_kernel_name(""), "");
}

TEST(KernelName, ANameThatIsCutOffKeepsWhatThereIs) {
  EXPECT_EQ(readable_demangled_name("void Kokkos::Impl::ParallelFor<ado::FillKer"),
            "ParallelFor<FillKer");
}

} // namespace
} // namespace ado::bench
