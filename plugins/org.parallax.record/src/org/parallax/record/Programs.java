package org.parallax.record;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** Programs by their names, and the executable that a command is about. */
public final class Programs {
  /** What starts programs, with the number of arguments that say nothing of them unknown. */
  private static final Set<String> LAUNCHERS = Set.of("mpirun", "mpiexec", "orterun", "prterun",
      "srun", "env", "time", "timeout", "taskset", "nice", "numactl", "stdbuf", "setarch", "sh",
      "bash");

  private Programs() {}

  /**
   * The file that a name stands for, as a shell finds it.
   *
   * @param directory to which names with a slash, and relative directories of the path, refer
   * @param search directories separated by colons; may be null
   * @return null when there is none
   */
  public static Path find(String name, Path directory, String search) {
    if (name.contains("/")) {
      Path path = directory.resolve(name);
      return Files.isRegularFile(path) ? path : null;
    }
    for (String folder : (search == null ? "/usr/local/bin:/usr/bin:/bin" : search).split(":")) {
      Path path = directory.resolve(folder).resolve(name);
      if (!name.isEmpty() && Files.isRegularFile(path) && Files.isExecutable(path)) {
        return path;
      }
    }
    return null;
  }

  /** @return whether this program starts another one that its arguments name */
  public static boolean isLauncher(String program) {
    Path file = Path.of(program).getFileName();
    String name = file == null ? "" : file.toString();
    return LAUNCHERS.stream().anyMatch(known -> name.equals(known) || name.startsWith(known + "."));
  }

  /**
   * The executable that a command runs in the end: the first that is one and no launcher.
   *
   * @return null when it cannot be told
   */
  public static Path executable(List<String> command, Path directory, String search) {
    if (command.isEmpty()) {
      return null;
    }
    Path first = find(command.get(0), directory, search);
    if (first != null && !isLauncher(command.get(0)) && ElfFile.isElf(first)) {
      return first;
    }
    for (String argument : command.subList(1, command.size())) {
      Path path = argument.startsWith("-") ? null : find(argument, directory, search);
      if (path != null && ElfFile.isElf(path)) {
        return path;
      }
    }
    return null;
  }
}
