package org.parallax.record;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The native programs of Parallax, and the library that they load into programs.
 *
 * @param recorder starts programs under the agent ({@code parallax-record})
 * @param points finds places in binaries ({@code parallax-points})
 */
public record Agent(Path recorder, Path points) {
  /** The system properties that name the two, for builds under development and for scripts. */
  public static final String RECORDER_PROPERTY = "parallax.record";
  public static final String POINTS_PROPERTY = "parallax.points";

  private static final String RECORDER = "parallax-record";
  private static final String POINTS = "parallax-points";
  private static final String DISASSEMBLY = "parallax-disassembly";
  private static final String SYMBOLS = "parallax-symbols";
  private static final String TUNER = "parallax-tune";
  private static final String OTF2 = "parallax-otf2";
  private static final String PERFETTO = "parallax-perfetto";
  private static final String PERF = "parallax-perf";
  private static final String PARAVER = "parallax-paraver";
  private static final String LIBRARY = "libparallax-agent.so";

  /** Those that the system properties name, else those in the directories of {@code PATH}. */
  public static Agent named() {
    return new Agent(Path.of(System.getProperty(RECORDER_PROPERTY, RECORDER)),
        Path.of(System.getProperty(POINTS_PROPERTY, POINTS)));
  }

  /** @return whether a system property names the recorder */
  public static boolean isNamed() {
    return !System.getProperty(RECORDER_PROPERTY, "").isEmpty();
  }

  /** Those of a directory, which all of them are in. */
  public static Agent in(Path directory) {
    return new Agent(directory.resolve(RECORDER), directory.resolve(POINTS));
  }

  /** @return the program that reads machine code, which is beside the others */
  public Path disassembly() {
    return points.resolveSibling(DISASSEMBLY);
  }

  /** @return the program that finds the names of addresses in a trace, which is beside the recorder */
  public Path symbols() {
    return recorder.resolveSibling(SYMBOLS);
  }

  /** @return the program that monitors programs that are tuned while they run, which is beside the recorder */
  public Path tuner() {
    return recorder.resolveSibling(TUNER);
  }

  /** @return the program that converts archives of OTF2, which is beside the recorder */
  public Path otf2() {
    return recorder.resolveSibling(OTF2);
  }

  /** @return the program that converts traces of Chrome and Perfetto, which is beside the recorder */
  public Path perfetto() {
    return recorder.resolveSibling(PERFETTO);
  }

  /** @return the program that converts traces of Paraver, which is beside the recorder */
  public Path paraver() {
    return recorder.resolveSibling(PARAVER);
  }

  /** @return the program that converts what Linux perf writes, which is beside the recorder */
  public Path perf() {
    return recorder.resolveSibling(PERF);
  }

  /** @return the library, where the recorder looks for it; null when it is in neither place */
  public Path library() {
    Path program = executable(recorder);
    if (program == null) {
      return null;
    }
    Path own = program.toAbsolutePath().getParent();
    for (Path path : List.of(own.resolve(LIBRARY),
        own.resolve("../lib/parallax").resolve(LIBRARY).normalize())) {
      if (Files.isReadable(path)) {
        return path;
      }
    }
    return null;
  }

  /** @return a program that can be run, or null */
  static Path executable(Path program) {
    if (program.toString().contains(File.separator)) {
      return Files.isRegularFile(program) && Files.isExecutable(program) ? program : null;
    }
    return Programs.find(program.toString(), Path.of(""), System.getenv("PATH"));
  }
}
