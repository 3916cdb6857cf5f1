/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * What the ranks of ado::distributed send, and nothing that they compute: SimGrid's SMPI says how long it takes on a
 * platform that simulate.py describes.
 *
 *     skeleton transpose BYTES GROUP    all-to-all of BYTES a rank: in groups of GROUP ranks that follow each other, then
 *                                       between those that have one place in their groups. 1: in one stage
 *     skeleton yax BYTES 1              all-gather of BYTES in all
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void all_to_all(MPI_Comm comm, void* memory, long bytes) {
  int size;
  MPI_Comm_size(comm, &size);
  if (size > 1) MPI_Alltoall(memory, bytes / size, MPI_BYTE, memory, bytes / size, MPI_BYTE, comm);
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const long bytes = atol(argv[2]);
  const int group = atoi(argv[3]);
  void* memory = SMPI_SHARED_MALLOC(bytes); /* one for all ranks; what is in it does not matter */
  MPI_Comm inner, outer;
  MPI_Comm_split(MPI_COMM_WORLD, rank / group, rank, &inner);
  MPI_Comm_split(MPI_COMM_WORLD, rank % group, rank, &outer);
  MPI_Barrier(MPI_COMM_WORLD);
  double times[2] = {MPI_Wtime()}, last[2]; /* one clock for all: the last begins, the last ends */
  if (strcmp(argv[1], "transpose") == 0) {
    all_to_all(inner, memory, bytes);
    all_to_all(outer, memory, bytes);
  } else {
    MPI_Allgather(memory, bytes / size, MPI_BYTE, memory, bytes / size, MPI_BYTE, MPI_COMM_WORLD);
  }
  times[1] = MPI_Wtime();
  MPI_Reduce(times, last, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%.9f\n", last[1] - last[0]);
  SMPI_SHARED_FREE(memory);
  MPI_Finalize();
  return 0;
}
