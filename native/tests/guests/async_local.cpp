// Uses liburing as a plugin does: not linked with it, and out of the scope of all others.
#include <dlfcn.h>
#include <liburing.h>
#include <stdio.h>

int main() {
  for (int i = 0; i < 2; i++) {
    void* library = dlopen("liburing.so.2", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return 1;
    const auto init = reinterpret_cast<decltype(&io_uring_queue_init)>(dlsym(library, "io_uring_queue_init"));
    const auto submit = reinterpret_cast<decltype(&io_uring_submit)>(dlsym(library, "io_uring_submit"));
    const auto end = reinterpret_cast<decltype(&io_uring_queue_exit)>(dlsym(library, "io_uring_queue_exit"));
    io_uring ring;
    if (init(4, &ring, 0) != 0) return 77;
    if (submit(&ring) != 0) return 2;
    io_uring_sqe* sqe = io_uring_get_sqe(&ring);
    io_uring_prep_nop(sqe);
    const int submitted = submit(&ring);
    if (submitted != 1) {
      printf("submitted %d\n", submitted);
      return 3;
    }
    end(&ring);
    dlclose(library);
  }
  puts("done");
  return 0;
}
