package org.parallax.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How {@code ./parallax test} counts: what did not run is never counted as passed. */
class SummaryTest {
  @TempDir
  Path folder;

  private String total(int status, String... reports) throws Exception {
    StringBuilder files = new StringBuilder();
    for (int i = 0; i < reports.length; i++) {
      Path file = Files.writeString(folder.resolve("TEST-" + i + ".xml"), reports[i]);
      files.append(" '").append(file).append('\'');
    }
    String script = "set -euo pipefail; logs=/logs; source scripts/test.sh; count_reports part "
        + status + files + "; echo \"$passed_total passed, $failed_total failed\"; echo \"$summary\"";
    return Run.command("bash", "-c", script).run().expect(0).out().lines().findFirst().get();
  }

  @Test
  void reportsOfJUnitAreSummed() throws Exception {
    String one = "<?xml version=\"1.0\"?>\n<testsuite xmlns:x=\"y\" name=\"A\" time=\"4.3\" "
        + "tests=\"10\" errors=\"1\" skipped=\"2\" failures=\"3\">\n"
        + "<testcase tests=\"99\"/></testsuite>\n";
    assertEquals("4 passed, 4 failed", total(1, one));
    assertEquals("8 passed, 8 failed", total(1, one, one));
  }

  @Test
  void reportsOfCTestAreSummed() throws Exception {
    String report = "<?xml version=\"1.0\"?>\n<testsuite name=\"(empty)\"\n\ttests=\"226\"\n"
        + "\tfailures=\"1\"\n\tdisabled=\"2\"\n\tskipped=\"3\"\n\t>\n<testcase name=\"x\" />\n";
    assertEquals("220 passed, 1 failed", total(8, report));
  }

  @Test
  void aPartWithoutTestsHasFailed() throws Exception {
    assertEquals("0 passed, 1 failed", total(0));
    assertEquals("0 passed, 1 failed", total(0, "<testsuite tests=\"0\" failures=\"0\">\n"));
    assertEquals("0 passed, 1 failed",
        total(0, "<testsuite tests=\"5\" failures=\"0\" skipped=\"5\">\n"));
  }

  @Test
  void aPartThatDidNotFinishHasFailed() throws Exception {
    assertEquals("5 passed, 1 failed", total(1, "<testsuite tests=\"5\" failures=\"0\">\n"));
  }

  @Test
  void aWrongPartIsAnsweredWithThePartsThereAre() throws Exception {
    assertEquals(List.of("parallax: unknown part \"nativ\"; the parts are: native plugins sanitize installed"),
        Run.parallax("test", "nativ").run().expect(2).err().lines().toList());
  }
}
