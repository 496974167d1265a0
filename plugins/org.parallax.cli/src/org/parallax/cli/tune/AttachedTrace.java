package org.parallax.cli.tune;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The trace of programs that ran before they are tuned. The agent in them is loaded by the recorder, which writes one. If
 * nobody wants it, it has no samples and only the last second, and is removed.
 */
final class AttachedTrace implements AutoCloseable {
  private final String wanted;
  /** Null if the trace is kept. */
  private final Path temporary;

  /** @param wanted the directory of the trace, which is kept; empty for none */
  AttachedTrace(String wanted) throws IOException {
    this.wanted = wanted;
    temporary = wanted.isEmpty() ? Files.createTempDirectory("parallax-tune-") : null;
  }

  /**
   * @param tuner the native monitor, beside which the recorder is
   * @param processes their numbers, or a name
   * @return the command that attaches to them
   */
  List<String> recorder(Path tuner, String processes) {
    List<String> words = new ArrayList<>(List.of(tuner.resolveSibling("parallax-record").toString(), "--quiet"));
    words.addAll(temporary == null ? List.of("-o", wanted) : List.of("--no-calibration", "--sample-hz", "0", "--keep-last", "1s",
        "-o", temporary.resolve("trace").toString()));
    words.addAll(List.of("--attach", processes));
    return words;
  }

  @Override
  public void close() throws IOException {
    if (temporary == null) {
      return;
    }
    try (Stream<Path> files = Files.walk(temporary)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
