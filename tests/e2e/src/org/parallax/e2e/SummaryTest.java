package org.parallax.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
  void whatWasSkippedBesideOtherProgramsIsTold() throws Exception {
    Path junit = Files.writeString(folder.resolve("a.xml"), "<testsuite tests=\"3\" failures=\"0\" skipped=\"2\">\n"
        + "<testcase><skipped message=\"other programs took at least 40.0 % of the processors in each\" "
        + "type=\"x\">at other programs took at least</skipped></testcase><testcase>\n<skipped message=\"no gdb\"/>"
        + "</testcase></testsuite>\n");
    Path ctest = Files.writeString(folder.resolve("b.xml"), "<testsuite\n\ttests=\"2\"\n\tfailures=\"0\"\n"
        + "\tdisabled=\"0\"\n\tskipped=\"1\"\n\t>\n<system-out>/x/sampling_test.cpp:7: Skipped\n"
        + "other programs took at least 90.0 % of the processors in each of 3 attempts\n</system-out>\n");
    String script = "set -euo pipefail; logs=/logs; source scripts/test.sh; count_reports part 0 " + junit + " "
        + ctest + "; printf %s \"$summary\"";
    assertEquals("  part           2 passed, 0 failed, 3 skipped in 0:00 min; 2 skipped because other programs took "
        + "the processors\n", Run.command("bash", "-c", script).run().expect(0).out());
  }

  @Test
  void whatPassesWhenItIsRepeatedIsNamed() throws Exception {
    Files.writeString(folder.resolve("test-part.log"), "1/3 Test #1: A.b/c ......***Failed    0.06 sec\n"
        + "    Test #1: A.b/c ......   Passed    0.02 sec\n2/3 Test #2: D.e ......***Failed    0.02 sec\n"
        + "    Test #2: D.e ......***Failed    0.02 sec\n3/3 Test #3: F.g ......   Passed    0.02 sec\n"
        + "[WARNING] Flakes: \n[WARNING] org.parallax.Other.test\n[ERROR]   Run 1: Other.test:12 first\n"
        + "[INFO]   Run 2: PASS\n[INFO] \n[WARNING] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Flakes: 1\n");
    Path report = Files.writeString(folder.resolve("c.xml"), "<testsuite tests=\"1\" failures=\"0\">\n"
        + "  <testcase name=\"test\"><flakyFailure/></testcase>\n  <testcase name=\"other\"/>\n</testsuite>\n");
    String script = "set -euo pipefail; logs=" + folder + "; source scripts/test.sh; count_reports part 0 " + report
        + "; printf %s \"$summary\"";
    assertEquals("  part           2 passed, 0 failed, 0 skipped in 0:00 min; passed at the second attempt only: A.b/c, "
        + "org.parallax.Other.test\n", Run.command("bash", "-c", script).run().expect(0).out());
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

  /** What is said of a part while its log is this. */
  private String progress(String log) throws Exception {
    Path file = Files.writeString(folder.resolve("part.log"), log);
    return Run.command("bash", "-c", "set -euo pipefail; source scripts/test_progress.sh; progress_of '"
        + file + "'; minutes 125").run().expect(0).out();
  }

  @Test
  void progressIsReadFromTheLogsOfAllTools() throws Exception {
    assertEquals("starting\n2:05", progress(""));
    assertEquals("building, step 17 of 589\n2:05",
        progress("-- Configuring\n[16/589] Building CXX object a.o\n[17/589] Linking CXX executable b\n"));
    assertEquals("building, step 2 of 35\n2:05", progress("[INFO] Building org.parallax.root 0.1.0 [1/35]\n"
        + "[INFO] Building org.parallax.trace 0.1.0 [2/35]\n"));
    assertEquals("2 of 815 tests\n2:05", progress("to do: 815 tests\n"
        + "        Start   1: A.b\n  1/300 Test   #1: A.b ....   Passed    0.01 sec\n"
        + "  1/515 Test #301: C.d ....***Failed    0.02 sec\n[1/2] of no interest\n"));
    assertEquals("2 of 164 test classes\n2:05", progress("to do: 164 test classes\n"
        + "[INFO] Building org.parallax.trace.tests 0.1.0 [13/35]\n"
        + "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 1 s -- in org.parallax.A\n"
        + "[ERROR] Tests run: 1, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 2 s <<< FAILURE! -- in B\n"
        + "[INFO] Tests run: 4, Failures: 1, Errors: 0, Skipped: 0\n"));
  }

  /** A part that takes long says in a pipe how far it is, and leaves nothing running that holds the pipe. */
  @Test
  void aPartThatTakesLongSaysHowFarItIs() throws Exception {
    String script = "set -euo pipefail; root=$PWD; state='" + folder + "'; source scripts/setup.sh; "
        + "source scripts/test.sh; progress_seconds=1; slow() { echo 'to do: 2 tests'; echo ' 1/2 Test #1: a ... Passed'; sleep 3; "
        + "echo ' 2/2 Test #2: b ... Passed'; }; run_part native 'testing' slow; count native 2 0 0 0; "
        + "printf %s \"$summary\"";
    Run.Result result = Run.command("bash", "-c", script).run().expect(0);
    List<String> said = result.err().lines().toList();
    assertEquals("parallax: testing ...", said.get(0));
    assertTrue(said.get(1).matches("parallax: native: 1 of 2 tests, \\d+:\\d\\d min"), said.toString());
    assertTrue(said.get(said.size() - 1).matches("parallax: native: 2 of 2 tests in \\d+:\\d\\d min"),
        said.toString());
    assertTrue(result.out().matches("  native +2 passed, 0 failed, 0 skipped in \\d+:\\d\\d min\n"),
        result.out());
  }

  @Test
  void aWrongPartIsAnsweredWithThePartsThereAre() throws Exception {
    assertEquals(List.of("parallax: unknown part \"nativ\"; the parts are: native plugins installed sanitize"),
        Run.parallax("test", "nativ").run().expect(2).err().lines().toList());
  }
}
