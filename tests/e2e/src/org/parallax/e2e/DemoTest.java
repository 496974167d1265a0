package org.parallax.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** {@code ./parallax demo}, as on a machine without a display. */
class DemoTest {
  @Test
  void printsTheCriticalPathOfABundledProgram() throws Exception {
    Run.Result demo = Run.parallax("demo").without("DISPLAY", "WAYLAND_DISPLAY").within(1200)
        .run().expect(0);
    assertTrue(demo.out().contains("heat: mean temperature"), demo::toString);
    assertTrue(demo.out().contains("refine_cells"), demo::toString);
    assertTrue(demo.err().contains("there is no display"), demo::toString);

    Path trace = Project.ROOT.resolve(".parallax/traces/heat");
    PrintedReport path = PrintedReport.of(trace, "critical-path", "--level", "procedure");
    assertEquals("critical-path", path.all().get("report").getAsString());
    assertEquals(path.total(), path.sum("time"));
    // Of the path's work, messages and collectives left out: they grow with the load on a machine.
    long work = path.rows().stream().filter(row -> row.get("kind").getAsString().equals("CPU"))
        .mapToLong(row -> row.get("time").getAsLong()).sum();
    long refined = path.sum("time", "refine_cells"::equals);
    assertTrue(refined > 0.5 * work, "refine_cells holds " + refined + " of " + work + " ns");
    PrintedReport processes = PrintedReport.of(trace, "critical-path", "--level", "process");
    assertEquals(path.total(), processes.sum("time"));
  }
}
