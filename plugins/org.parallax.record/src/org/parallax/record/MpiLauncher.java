package org.parallax.record;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** The programs that start the processes of an MPI job, and how each is told what to do. */
public enum MpiLauncher {
  OPEN_MPI, HYDRA, SLURM, OTHER;

  private static final long PATIENCE_S = 5;
  /** What each process needs on other machines, besides what the options set. */
  private static final List<String> EXPORTED =
      List.of("LD_PRELOAD", "PARALLAX_TRACE", "PARALLAX_SAMPLE_HZ", "PARALLAX_TICK_HZ");

  /** Which one a program is, by its name, the file behind it, or what it says of itself. */
  public static MpiLauncher of(Path program) {
    MpiLauncher byName = byName(program.getFileName().toString());
    if (byName != OTHER) {
      return byName;
    }
    try {
      byName = byName(program.toRealPath().getFileName().toString());
    } catch (IOException e) {
      return OTHER;
    }
    return byName != OTHER ? byName : byVersion(program);
  }

  private static MpiLauncher byName(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.contains("openmpi") || lower.startsWith("orterun") || lower.startsWith("prterun")) {
      return OPEN_MPI;
    }
    if (lower.contains("mpich") || lower.contains("hydra")) {
      return HYDRA;
    }
    return lower.equals("srun") ? SLURM : OTHER;
  }

  private static MpiLauncher byVersion(Path program) {
    try {
      Process asked = new ProcessBuilder(program.toString(), "--version").redirectErrorStream(true)
          .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null"))).start();
      try {
        if (!asked.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
          return OTHER;
        }
        String text = new String(asked.getInputStream().readNBytes(1 << 16), StandardCharsets.UTF_8);
        return text.contains("Open MPI") || text.contains("OpenRTE") || text.contains("PRRTE")
            ? OPEN_MPI : text.contains("HYDRA") || text.contains("Intel(R) MPI") ? HYDRA : OTHER;
      } finally {
        asked.destroyForcibly();
      }
    } catch (IOException e) {
      return OTHER;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return OTHER;
    }
  }

  /** The launcher that fits a program, by the library that it is linked with; empty for none. */
  public static String fitting(ElfFile program) {
    if (program.needs("libmpich")) {
      return "mpirun.mpich";
    }
    // libmpi.so.12 and the ABI of the standard are of several.
    boolean isOpenMpi = program.needs("libmpi.so.40") || program.needs("libmpi_mpifh")
        || program.needs("libmpi_usempi");
    return isOpenMpi ? "mpirun.openmpi" : program.needs("libmpi") ? "mpirun" : "";
  }

  /**
   * The arguments that start so many processes on these hosts.
   *
   * @param variables that the recorder sets for the agent, which other machines need, too
   */
  List<String> arguments(int processes, List<String> hosts, List<String> variables) {
    List<String> arguments = new ArrayList<>(List.of("-n", Integer.toString(processes)));
    if (hosts.isEmpty()) {
      return arguments;
    }
    String list = String.join(",", hosts);
    if (this == OPEN_MPI || this == OTHER) {
      arguments.addAll(List.of("--host", list));
    } else {
      arguments.addAll(List.of(this == HYDRA ? "-hosts" : "-w", list));
    }
    if (this == OPEN_MPI) {  // the others pass on all variables
      List<String> names = new ArrayList<>(EXPORTED);
      names.addAll(variables);
      names.forEach(name -> arguments.addAll(List.of("-x", name)));
    }
    return arguments;
  }
}
