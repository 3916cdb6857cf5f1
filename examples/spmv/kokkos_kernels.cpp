// spmv, kokkos_kernels, spmv: one call of Kokkos Kernels
//   mapping   KokkosSparse::spmv of a CrsMatrix
//   teaches   what the library for Kokkos reaches
#include "spmv.hpp"
#include <ado/portable/variant.hpp>

#include <KokkosSparse_CrsMatrix.hpp>
#include <KokkosSparse_spmv.hpp>

struct LibraryOfKokkos : SpmvVariant {
  static constexpr std::string_view name = "spmv", summary = "one call of Kokkos Kernels";
  static constexpr ado::Model model = ado::Model::kokkos_kernels;

  template <class Exec>
  static void run(const Exec& exec, const ado::Call& call) {
    ado::with_real_type(call.type, [&]<class T>(T) {
      using Index = std::int32_t;
      using Matrix = KokkosSparse::CrsMatrix<const T, const Index, typename Exec::device_type,
                                             Kokkos::MemoryTraits<Kokkos::Unmanaged>, const Index>;
      const Csr<T> a(call);
      const auto rows = Index(a.rows);
      const Matrix matrix("a", rows, rows, Index(a.nonzeros), ado::view_of<Exec, const T*>(call, 2),
                          ado::view_of<Exec, const Index*>(call, 0),
                          ado::view_of<Exec, const Index*>(call, 1));
      KokkosSparse::spmv(exec, "N", T(1), matrix, ado::view_of<Exec, const T*>(call, 3), T(0),
                         ado::view_of<Exec, T*>(call, 4));
    });
  }
};
const ado::PortableVariant<LibraryOfKokkos> registered{__FILE__};
