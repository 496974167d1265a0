package org.parallax.experiment.suggest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Row;
import org.parallax.analysis.Table;
import org.parallax.model.Application;
import org.parallax.model.Procedure;
import org.parallax.model.Session;
import org.parallax.model.SessionBuilder;
import org.parallax.trace.Progress;
import org.parallax.trace.testing.TraceBuilder;

class SuggestionsTest {
  @TempDir
  private Path directory;

  /** One thread works in three functions, then waits in a call of the last one. */
  private Path trace() {
    TraceBuilder trace = new TraceBuilder(directory);
    trace.process("n", "/opt/p").thread(0).threadBegin(0, -1)
        .sample(300, "main/solve").sample(400, "main/step").sample(460, "main/help");
    return trace.write();
  }

  /** Places that are proposed where the binary tells this of its functions. */
  private List<String> proposed(Map<String, String> modules, Map<String, String> names,
      boolean hasSource) throws Exception {
    Session session = SessionBuilder.open(List.of(trace()), Progress.NONE);
    try {
      Application application = session.getApplications().get(0);
      for (Procedure procedure : application.getProcedures()) {
        procedure.setFile(hasSource ? "/src/p.c" : "");
        procedure.setModule(modules.getOrDefault(procedure.getName(), "/opt/p"));
        procedure.setName(names.getOrDefault(procedure.getName(), procedure.getName()));
      }
      Table table = Suggestions.of(ApplicationAnalysis.global(List.of(application)), 4,
          Progress.NONE);
      assertEquals(table.rows().isEmpty(), table.warnings().stream()
          .anyMatch(warning -> warning.contains("do not strip it")), table.warnings().toString());
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
