// Which interface the MPI library of this process has, and what it says of itself.

#include "interpose/mpi/mpi_abi.h"

#include <algorithm>
#include <atomic>
#include <iterator>

#include "base/scratch.h"
#include "interpose/mpi/mpi_real.h"

namespace parallax::mpi {
namespace {

Handle variableAddress(const char* name) { return reinterpret_cast<Handle>(findVariable(name)); }

// Datatypes of Open MPI: each is a variable of the library.
constexpr const char* kOpenMpiTypes[] = {
    "ompi_mpi_char", "ompi_mpi_signed_char", "ompi_mpi_unsigned_char", "ompi_mpi_byte", "ompi_mpi_wchar",
    "ompi_mpi_short", "ompi_mpi_unsigned_short", "ompi_mpi_int", "ompi_mpi_unsigned", "ompi_mpi_long",
    "ompi_mpi_unsigned_long", "ompi_mpi_long_long_int", "ompi_mpi_unsigned_long_long", "ompi_mpi_float",
    "ompi_mpi_double", "ompi_mpi_long_double", "ompi_mpi_int8_t", "ompi_mpi_uint8_t", "ompi_mpi_int16_t",
    "ompi_mpi_uint16_t", "ompi_mpi_int32_t", "ompi_mpi_uint32_t", "ompi_mpi_int64_t", "ompi_mpi_uint64_t",
    "ompi_mpi_aint", "ompi_mpi_offset", "ompi_mpi_count", "ompi_mpi_c_bool", "ompi_mpi_c_complex",
    "ompi_mpi_c_float_complex", "ompi_mpi_c_double_complex", "ompi_mpi_c_long_double_complex",
    "ompi_mpi_cxx_bool", "ompi_mpi_cxx_cplex", "ompi_mpi_cxx_dblcplex", "ompi_mpi_cxx_ldblcplex",
    "ompi_mpi_packed", "ompi_mpi_float_int", "ompi_mpi_double_int", "ompi_mpi_longdbl_int", "ompi_mpi_long_int",
    "ompi_mpi_short_int", "ompi_mpi_2int", "ompi_mpi_character", "ompi_mpi_logical", "ompi_mpi_logical1",
    "ompi_mpi_logical2", "ompi_mpi_logical4", "ompi_mpi_logical8", "ompi_mpi_logical16", "ompi_mpi_integer",
    "ompi_mpi_integer1", "ompi_mpi_integer2", "ompi_mpi_integer4", "ompi_mpi_integer8", "ompi_mpi_integer16",
    "ompi_mpi_real", "ompi_mpi_real2", "ompi_mpi_real4", "ompi_mpi_real8", "ompi_mpi_real16",
    "ompi_mpi_dblprec", "ompi_mpi_cplex", "ompi_mpi_complex4", "ompi_mpi_complex8", "ompi_mpi_complex16",
    "ompi_mpi_complex32", "ompi_mpi_dblcplex", "ompi_mpi_ldblcplex", "ompi_mpi_2real", "ompi_mpi_2dblprec",
    "ompi_mpi_2integer", "ompi_mpi_2cplex", "ompi_mpi_2dblcplex", "ompi_mpi_lb", "ompi_mpi_ub",
};

// Their handles, in order, with 0 for those that this library does not have.
Handle openMpiTypes[std::size(kOpenMpiTypes)];

void findOpenMpiTypes() {
  Handle found[std::size(kOpenMpiTypes)];
  for (size_t i = 0; i < std::size(found); ++i) found[i] = variableAddress(kOpenMpiTypes[i]);
  std::sort(std::begin(found), std::end(found));
  std::copy(std::begin(found), std::end(found), openMpiTypes);
}

Abi openMpi() {
  findOpenMpiTypes();
  Abi a = kOpenMpiAbi;
  a.world = variableAddress("ompi_mpi_comm_world");
  a.self = variableAddress("ompi_mpi_comm_self");
  a.commNull = variableAddress("ompi_mpi_comm_null");
  a.requestNull = variableAddress("ompi_request_null");
  a.datatypeNull = variableAddress("ompi_mpi_datatype_null");
  a.messageNull = variableAddress("ompi_message_null");
  a.messageNoProcess = variableAddress("ompi_message_no_proc");
  a.byteType = variableAddress("ompi_mpi_byte");
  a.noOp = variableAddress("ompi_mpi_op_no_op");
  a.isPredefined = [](Handle datatype) {
    return std::binary_search(std::begin(openMpiTypes), std::end(openMpiTypes), datatype);
  };
  return a;
}

Abi standard() {
  Abi a = kStandardAbi;
  a.bytesOf = [](const void* status) {
    int64_t bytes = 0;
    callService(Service::kGet_count_c, status, abi().byteType, &bytes);
    return bytes > 0 ? static_cast<uint64_t>(bytes) : 0;
  };
  a.cancelledIn = [](const void* status) {
    int cancelled = 0;
    return callService(Service::kTest_cancelled, status, &cancelled) == 0 && cancelled != 0;
  };
  return a;
}

using GetTwo = int(int*, int*);

// The major number of what the library calls `routine` ("PMPI_Get_version"), -1 when it does not.
int majorOf(const char* routine) {
  int major = -1, minor = -1;
  auto* get = reinterpret_cast<GetTwo*>(findSymbol(routine));
  return get != nullptr && get(&major, &minor) == 0 ? major : -1;
}

// The text of MPI_Get_library_version, at most Scratch::kBytes with its end; null when there is none.
const char* versionText(const Scratch& scratch) {
  auto* get =
      reinterpret_cast<int (*)(char*, int*)>(findSymbol("PMPI_Get_library_version"));
  int length = 0;
  if (!scratch || get == nullptr) return nullptr;
  scratch.bytes()[0] = 0;
  if (get(scratch.bytes(), &length) != 0) return nullptr;
  scratch.bytes()[Scratch::kBytes - 1] = 0;
  return scratch.bytes();
}

template <size_t N>
bool saysOneOf(const char* text, const char* const (&names)[N]) {
  for (const char* name : names) {
    if (text != nullptr && strstr(text, name) != nullptr) return true;
  }
  return false;
}

constexpr const char* kOfOpenMpi[] = {"Open MPI", "Spectrum MPI"};
constexpr const char* kOfMpich[] = {"MPICH", "MVAPICH", "Intel(R) MPI", "ParaStation MPI"};

// MPICH 4.3 has the ABI as it was proposed, with other values than the standard's, and says of
// itself MPI 4.
bool hasStandardAbi(bool isMpich) {
  if (majorOf("PMPI_Abi_get_version") < 1) return false;
  return !isMpich || majorOf("PMPI_Get_version") >= 5;
}

// What the library says of itself comes before what it exports: another library may be loaded too.
Abi recognise() {
  const Scratch scratch;
  const char* text = versionText(scratch);
  const bool saysMpich = saysOneOf(text, kOfMpich);
  if (hasStandardAbi(saysMpich)) return standard();
  const bool proposedAbi = majorOf("PMPI_Abi_get_version") >= 1;
  const bool hasOpenMpi = findVariable("ompi_mpi_comm_world") != nullptr;
  if (saysOneOf(text, kOfOpenMpi) && hasOpenMpi) return openMpi();
  if (saysMpich && !proposedAbi) return kMpichAbi;
  if (text == nullptr && hasOpenMpi) return openMpi();  // before MPI 3
  // Other names of libraries with the ABI of MPICH.
  if (!proposedAbi && findSymbol("MPIR_Err_create_code") != nullptr) return kMpichAbi;
  Abi unknown{};
  unknown.handleBytes = 8;
  unknown.errOther = 16;
  return unknown;
}

}  // namespace

// Several threads may do this at the same time, because all of them write the same values. If no library is loaded yet,
// the next call tries again.
void recogniseAbi() {
  recognisedAbi = recognise();
  if (findSymbol("PMPI_Init") != nullptr) abiIsPrepared.store(true, std::memory_order_release);
}

uint32_t threadLevel(int level) {
  if (level == abi().threadMultiple) return 3;
  if (level == abi().threadSerialized) return 2;
  return level == abi().threadFunneled ? 1 : 0;
}

// The first line of what it says, without a colon after the name and up to a comma, with one blank
// for many: "MPICH 5.0.2" of "MPICH Version:      5.0.2\nMPICH Release date: ...".
void libraryVersion(char* text, size_t sizeBytes) {
  const Scratch scratch;
  const char* from = versionText(scratch);
  static constexpr char kVersion[] = " Version";
  constexpr size_t kVersionBytes = sizeof kVersion - 1;
  static constexpr char kStandard[] = ", MPI ABI";
  const size_t standardBytes =
      abi().library == Library::kStandard && sizeBytes > sizeof kStandard ? sizeof kStandard - 1 : 0;
  size_t n = 0;
  for (; from != nullptr && *from != 0 && *from != '\n' && *from != ','; ++from) {
    if (n + standardBytes + 1 >= sizeBytes) break;
    if (strncmp(from, kVersion, kVersionBytes) == 0) {
      from += kVersionBytes - 1;
      continue;
    }
    const bool blank = *from == ' ' || *from == '\t' || *from == ':';
    if (!blank) {
      text[n++] = *from;
    } else if (n > 0 && text[n - 1] != ' ') {
      text[n++] = ' ';
    }
  }
  memcpy(text + n, kStandard, standardBytes);
  text[n + standardBytes] = 0;
}

}  // namespace parallax::mpi
