package org.parallax.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Traces written by the C++ side read as the C++ side reads them. */
class GoldenTracesTest {
  static List<Path> goldens() throws IOException {
    return Goldens.all();
  }

  @Test
  void areThere() throws IOException {
    assertEquals(List.of("adapters", "corners", "damaged", "exec", "holes", "killed", "messages",
        "small", "threads", "windows"), Goldens.all().stream().map(path -> path.getFileName().toString()).toList());
  }

  @ParameterizedTest
  @MethodSource("goldens")
  void canonicalTextIsThatOfTheOtherSide(Path trace) throws Exception {
    assertEquals(Files.readString(trace.resolve("expected.txt")), TraceDump.of(trace));
  }

  @ParameterizedTest
  @MethodSource("goldens")
  void checkFindsErrorsOnlyWhereTheyArePlanted(Path trace) throws Exception {
    TraceChecker.Result result = TraceChecker.check(trace);
    boolean planted = trace.endsWith("damaged") || trace.endsWith("corners");
    assertEquals(planted, !result.isSound(), () -> result.findings().toString());
  }

  @ParameterizedTest
  @MethodSource("goldens")
  void opens(Path directory) throws Exception {
    try (Trace trace = Trace.open(directory)) {
      assertTrue(!trace.processes().isEmpty());
      for (ProcessTrace process : trace.processes()) {
        assertTrue(process.startNs() >= 0);
        for (ThreadTrace thread : process.threads()) {
          assertTrue(thread.endNs() >= thread.beginNs());
          assertTrue(process.endNs() >= thread.endNs());
        }
      }
    }
  }
}
