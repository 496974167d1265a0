package org.parallax.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Monitors beside a program and after it, by ./parallax alone. */
class ExternalDataTest {
  @TempDir
  Path folder;

  private static double most(PrintedReport report, String key) {
    return report.rows().stream().map(row -> row.get(key)).filter(value -> !value.isJsonNull())
        .mapToDouble(value -> value.getAsDouble()).max().orElse(-1);
  }

  @Test
  void theMachineAndAScriptAreSeenBesideTheProgram() throws Exception {
    Path script = folder.resolve("beat.sh");
    Files.writeString(script, "#!/bin/sh\n"
        + "printf 'parallax-series 1\\nobject machine %s\\nmetric beat counter\\ndata\\n' "
        + "\"$(uname -n)\"\ni=0\nwhile sleep 0.05; do i=$((i + 1)); "
        + "echo \"$(date +%s.%N) $i\"; done\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    Run.Result recorded = Run.parallax("record", "-o", folder.resolve("run"), "--monitor=50",
        "--external", script, "--", Project.NATIVE.resolve("programs/phases"), "400").in(folder)
        .run().expect(0);
    assertTrue(recorded.out().contains("units=400"), recorded::toString);
    assertEquals(1, recorded.err().lines().count(), recorded::toString);

    Path trace = folder.resolve("run");
    String info = Run.parallax("info", trace).run().expect(0).out();
    assertTrue(info.contains("external data beat of machine ")
        && info.contains(" monitor of machine "), info);
    assertTrue(Run.parallax("check", trace).run().expect(0).out().contains(": sound ("));
    String host = Run.command("uname", "-n").run().expect(0).out().strip();
    PrintedReport report = PrintedReport.of(trace, "histogram", "--metric",
        "external:cpu-user,external:beat,external:memory-used", "--bins", "5");
    assertTrue(most(report, "external:cpu-user " + host) > 0.3, report.all().toString());
    double beats = most(report, "external:beat " + host);
    assertTrue(beats > 1 && beats <= 20.5, report.all().toString());
    assertTrue(most(report, "external:memory-used " + host) > 1 << 20, report.all().toString());
  }

  @Test
  void aFileIsImportedOrRefusedWithItsLine() throws Exception {
    Path trace = folder.resolve("run");
    Run.parallax("record", "--quiet", "-o", trace, "--",
        Project.NATIVE.resolve("programs/phases"), "50").run().expect(0);
    Path file = Files.writeString(folder.resolve("model"), "parallax-series 1\n"
        + "object application phases\nclock run\nmetric predicted gauge\ndata\n0 1.5\n1000 1.5\n");
    Run.parallax("import", trace, file).run().expect(0);
    PrintedReport report = PrintedReport.of(trace, "histogram", "--metric", "external:predicted", "--bins", "2");
    assertEquals(1.5, most(report, "external:predicted phases"));

    Files.writeString(file, Files.readString(file).replace("1000 1.5", "1000 many"));
    Run.Result refused =
        Run.parallax("import", "--replace", trace, file).run().expect(1);
    assertTrue(refused.err().startsWith("parallax: " + file
        + ":7: expected a number or - for predicted, found \"many\""), refused::toString);
    assertEquals(1.5, most(PrintedReport.of(trace, "histogram", "--metric", "external:predicted",
        "--bins", "2"), "external:predicted phases"));
  }
}
