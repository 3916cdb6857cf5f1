// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI faults on demand: preloaded, this library stands between a program and MPI (PMPI).
//   ADO_FAULT=kill|error|delay|hang|flip|crash|endless|stop   what happens
//   ADO_FAULT_RANK=r ADO_FAULT_IN=MPI_Isend ADO_FAULT_CALL=n   on rank r, in the n-th call, from 1
// flip turns a bit of what is sent, delay waits half a second, endless and hang are the same. An
// error in pwrite stands for a full disk while an array's file is written.
#include <dlfcn.h>
#include <mpi.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>

namespace {

std::string setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Whether the fault strikes in this call; if so, it happens here. The caller must return an error.
bool is_struck(const char* function, void* sent = nullptr) {
  static int calls = 0;
  int rank = -1;
  if (setting("ADO_FAULT_IN") != function) return false;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (std::to_string(rank) != setting("ADO_FAULT_RANK") ||
      std::to_string(++calls) != setting("ADO_FAULT_CALL"))
    return false;
  const std::string fault = setting("ADO_FAULT");
  if (fault == "kill") std::raise(SIGKILL);
  if (fault == "delay") usleep(500000);
  if (fault == "crash") {
    static volatile int* volatile nowhere = nullptr;
    *nowhere = 1;
  }
  if (fault == "stop") std::raise(SIGSTOP);
  if (fault == "hang" || fault == "endless")
    for (;;)
      pause();
  if (fault == "flip" && sent != nullptr) *static_cast<unsigned char*>(sent) ^= 0x10;
  return fault == "error";
}

bool is_of_an_array(int file) {
  std::array<char, 4096> path{};
  const std::string link = "/proc/self/fd/" + std::to_string(file);
  return readlink(link.c_str(), path.data(), path.size() - 1) > 0 &&
         std::string(path.data()).find(".npy") != std::string::npos;
}

} // namespace

extern "C" {

ssize_t pwrite(int file, const void* from, size_t bytes, off_t at) {
  static const auto next = reinterpret_cast<decltype(&pwrite)>(dlsym(RTLD_NEXT, "pwrite"));
  if (is_of_an_array(file) && is_struck("pwrite")) {
    errno = ENOSPC;
    return -1;
  }
  return next(file, from, bytes, at);
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  if (is_struck("MPI_Isend", const_cast<void*>(data))) return MPI_ERR_OTHER;
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}
int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  if (is_struck("MPI_Send", const_cast<void*>(data))) return MPI_ERR_OTHER;
  return PMPI_Send(data, count, type, to, tag, comm);
}
int MPI_Waitany(int count, MPI_Request* requests, int* which, MPI_Status* status) {
  if (is_struck("MPI_Waitany")) return MPI_ERR_OTHER;
  return PMPI_Waitany(count, requests, which, status);
}
int MPI_Barrier(MPI_Comm comm) {
  if (is_struck("MPI_Barrier")) return MPI_ERR_OTHER;
  return PMPI_Barrier(comm);
}
}
