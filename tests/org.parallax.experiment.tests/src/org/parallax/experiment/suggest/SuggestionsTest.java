package org.parallax.experiment.suggest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Application;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Kind;
import org.parallax.trace.Progress;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

class SuggestionsTest {
  private static final int RETURN_ADDRESS = 1;
  private static final int ADDRESS = 2;

  @TempDir
  private Path directory;

  /**
   * One thread works in three functions, the last one least.
   *
   * @param modules the libraries of functions that are not in the program
   * @param names what the binary calls functions, where it is not as here
   */
  private Path trace(Map<String, String> modules, Map<String, String> names, boolean hasSource)
      throws IOException {
    Path path = Files.createTempDirectory(directory, "trace");
    TraceBuilder trace = new TraceBuilder(path);
    TracedProcess process = trace.process("n", "/opt/p");
    TracedThread thread = process.thread(0).threadBegin(0, -1);
    int main = process.path(0, RETURN_ADDRESS, process.callSite("main"));
    StringBuilder libraries = new StringBuilder();
    Map<String, Integer> ends = Map.of("solve", 300, "step", 400, "help", 460);
    for (String function : List.of("solve", "step", "help")) {
      String module = modules.get(function);
      long address = process.address(function);
      if (module != null) {
        int number = ends.get(function);
        long bias = 0x7000_0000_0000L + ((long) number << 32);
        process.record(5).u32(number).u32(0).u64(0).u64(bias).u64(bias).u64(bias + 0x10000)
            .string("id" + number).string(module).end();
        libraries.append("M\t").append(number).append("\tid").append(number).append('\t')
            .append(module).append("\nA\t").append(number).append("\t1020\nF\t")
            .append(function).append("\t/src/p.c\t110\t100\t0\n");
        address = bias + 0x1020;
      }
      thread.event(ends.get(function), Kind.SAMPLE, process.path(main, ADDRESS, address));
    }
    trace.write();
    Path file = path.resolve("symbols");
    String symbols = Files.readString(file) + libraries;
    for (Map.Entry<String, String> name : names.entrySet()) {
      symbols = symbols.replace("F\t" + name.getKey() + "\t", "F\t" + name.getValue() + "\t");
    }
    Files.writeString(file, hasSource ? symbols
        : symbols.replaceAll("(?m)^(F\\t[^\\t]+)\\t.*$", "$1\t\t0\t0\t0"));
    return path;
  }

  /** Places that are proposed where the binary tells this of its functions. */
  private List<String> proposed(Map<String, String> modules, Map<String, String> names,
      boolean hasSource) throws Exception {
    LoadedSession session = SessionBuilder.open(List.of(trace(modules, names, hasSource)),
        Progress.NONE);
    try {
      Application application = session.getApplications().get(0);
      Table table = Suggestions.of(ApplicationAnalysis.global(List.of(application)), 4,
          Progress.NONE);
      assertEquals(table.rows().isEmpty(), table.warnings().stream()
          .anyMatch(warning -> warning.contains("do not strip the program")), table.warnings().toString());
      return table.rows().stream().map(Row::name).toList();
    } finally {
      SessionBuilder.close(session);
    }
  }

  @Test
  void functionsByTheirWorkOnThePath() throws Exception {
    assertEquals(List.of("entry:solve", "entry:step", "entry:help"),
        proposed(Map.of(), Map.of(), true));
  }

  @Test
  void namesOfTheSymbolTableAreEnough() throws Exception {
    assertEquals(List.of("entry:solve", "entry:step", "entry:help"), proposed(Map.of(),
        Map.of("step", "step.constprop.0", "help", "help.isra.0.cold"), false));
  }

  @Test
  void partsOfAFunctionAreProposedOnce() throws Exception {
    assertEquals(List.of("entry:solve", "entry:help"),
        proposed(Map.of(), Map.of("step", "solve.part.0"), false));
  }

  @Test
  void functionsOfTheSystemAreNot() throws Exception {
    String libc = "/usr/lib/x86_64-linux-gnu/libc.so.6";
    assertEquals(List.of("entry:solve", "entry:help"),
        proposed(Map.of("step", libc), Map.of(), false));
    assertTrue(proposed(Map.of("solve", libc, "step", libc, "help", libc), Map.of(), true).isEmpty());
  }
}
