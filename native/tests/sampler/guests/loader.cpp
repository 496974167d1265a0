// A module that finds another one by its RUNPATH, which only counts for calls from here.
#include <dlfcn.h>

extern "C" __attribute__((visibility("default"))) void* loadByName(const char* name) {
  void* handle = dlopen(name, RTLD_NOW);
  return handle == nullptr ? nullptr : dlsym(handle, "pluginWork");
}
