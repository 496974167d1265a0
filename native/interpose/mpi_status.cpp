#include "mpi_abi.h"

namespace parallax::mpi {

Abi recognisedAbi{};

StatusView readStatus(const void* status) {
  const char* bytes = static_cast<const char*>(status);
  const Abi& a = abi();
  StatusView view{};
  memcpy(&view.source, bytes + a.sourceAt, sizeof(int));
  memcpy(&view.tag, bytes + a.tagAt, sizeof(int));
  memcpy(&view.error, bytes + a.errorAt, sizeof(int));
  if (a.library == Library::kOpenMpi) {
    int cancelled;
    memcpy(&cancelled, bytes + 12, sizeof cancelled);
    memcpy(&view.bytes, bytes + 16, sizeof view.bytes);
    view.cancelled = cancelled != 0;
  } else {
    // 64 bits of which bit 32 says cancelled and the upper 31 continue the count.
    uint32_t low, high;
    memcpy(&low, bytes, sizeof low);
    memcpy(&high, bytes + 4, sizeof high);
    view.bytes = static_cast<uint64_t>(high >> 1) << 32 | low;
    view.cancelled = (high & 1) != 0;
  }
  return view;
}

}  // namespace parallax::mpi
