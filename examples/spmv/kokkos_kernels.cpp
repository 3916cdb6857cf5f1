// spmv, kokkos_kernels, spmv: one call of Kokkos Kernels
//   mapping   KokkosSparse::spmv of a CrsMatrix
//   teaches   the speed of Kokkos' own library
#include "spmv.hpp"
#include <ado/portable/variant.hpp>

#include <KokkosSparse_CrsMatrix.hpp>
#include <KokkosSparse_spmv.hpp>

namespace bench = ado::bench;

namespace spmv {

struct LibraryOfKokkos : SpmvVariant {
  static constexpr std::string_view name = "spmv", summary = "one call of Kokkos Kernels";
  static constexpr bench::Model model = bench::Model::kokkos_kernels;

  template <class Exec>
  static void run(const Exec& exec, const bench::Call& call) {
    bench::with_real_type(call.type, [&]<class T>(T) {
      using Index = std::int32_t;
      using Matrix = KokkosSparse::CrsMatrix<const T, const Index, typename Exec::device_type,
                                             Kokkos::MemoryTraits<Kokkos::Unmanaged>, const Index>;
      const Csr<T> a(call);
      const auto rows = Index(a.rows);
      const Matrix matrix(
          "a", rows, rows, Index(a.nonzeros), bench::view_of<Exec, const T*>(call, 2),
          bench::view_of<Exec, const Index*>(call, 0), bench::view_of<Exec, const Index*>(call, 1));
      KokkosSparse::spmv(exec, "N", T(1), matrix, bench::view_of<Exec, const T*>(call, 3), T(0),
                         bench::view_of<Exec, T*>(call, 4));
    });
  }
};
const bench::PortableVariant<LibraryOfKokkos> registered{__FILE__};

} // namespace spmv
