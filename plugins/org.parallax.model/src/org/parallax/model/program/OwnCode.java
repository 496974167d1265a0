package org.parallax.model.program;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Which procedures are code of the program itself, that its authors can change. Not the program's own
 * are intercepted routines, runtime libraries wherever they are (C, C++, Fortran, OpenMP, MPI, the
 * vDSO), and libraries in the directories of the system, unless the executable is there too: then the
 * libraries belong to it as well as they can.
 */
final class OwnCode {
  private static final Pattern RUNTIME = Pattern.compile("(linux-vdso|linux-gate|\\[vdso|\\[vsyscall"
      + "|ld-linux|ld-musl|ld-2|libc[.-]|libm[.-]|libmvec|libpthread|librt[.-]|libdl[.-]|libresolv"
      + "|libnss_|libstdc\\+\\+|libc\\+\\+|libgcc_s|libgfortran|libquadmath|libflang|libgomp|libomp"
      + "|libiomp5|libasan|libtsan|libubsan|liblsan|libjemalloc|libtcmalloc|libmimalloc|libmpi"
      + "|libmpich|libopen-|libpmi|libpmix|libprrte|libucp|libuct|libucs|libucm|libfabric|libibverbs"
      + "|librdmacm|libpsm|libhwloc|libevent|libpvm|libparallax).*");
  private static final Pattern SYSTEM = Pattern.compile("/(usr/)?(s?bin|lib(32|64|x32|exec)?)/.*");

  private final boolean isOfSystem;
  private final Map<String, Boolean> modules = new HashMap<>();

  /** @param executable absolute path of the program */
  OwnCode(String executable) {
    isOfSystem = SYSTEM.matcher(executable).matches();
  }

  boolean has(ProcedureInfo procedure) {
    boolean isCode = procedure.kind() == ProcedureKind.USER
        || procedure.kind() == ProcedureKind.UNRESOLVED && !procedure.module().isEmpty();
    return isCode && modules.computeIfAbsent(procedure.module(), this::isOwn);
  }

  private boolean isOwn(String module) {
    String name = module.substring(module.lastIndexOf('/') + 1);
    return !RUNTIME.matcher(name).matches()
        && (isOfSystem || !SYSTEM.matcher(module).matches());
  }
}
