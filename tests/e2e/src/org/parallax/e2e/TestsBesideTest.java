package org.parallax.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./parallax test} runs native tests that measure no time beside those of the plug-ins, and counts them. */
class TestsBesideTest {
  /**
   * Stands for all tools. The group that measures no time and the tests of the plug-ins wait for each other: one after the other,
   * they would fail.
   */
  private static final String TOOLS = """
      set -euo pipefail
      root=$1 state=$1/state source=$PWD
      source scripts/setup.sh
      source scripts/test.sh
      for name in need_{packages,mpis,native,maven,ide,newest_ide} lock unlock forget_classes fingerprint install_built_ide; do
        eval "$name() { :; }"
      done
      begins() {
        echo "$1" >> "$root/order"
        local other=$2
        for ((i = 0; i < 600; i++)); do
          if grep -qx "$other" "$root/order"; then return 0; fi
          sleep 0.1
        done
        return 1
      }
      ctest() {
        if [[ " $* " == *" -N "* ]]; then echo "Total Tests: 1"; return; fi
        local report=${*: -1} failures=0
        if [[ $report == *-timed.xml ]]; then
          echo timed >> "$root/order"
        else
          begins untimed plugins
          echo "nice: $(nice)" >> "$root/order"
          failures=$FAILURES
        fi
        echo "<testsuite tests=\\"1\\" failures=\\"$failures\\"/>" > "$report"
        return "$failures"
      }
      run_maven_on_screen() {
        begins plugins untimed
        [[ $PARALLAX_TEST_BESIDE ]]
        mkdir -p "$root/tests/org.parallax.x/target/surefire-reports"
        echo '<testsuite tests="4" failures="0"/>' > "$root/tests/org.parallax.x/target/surefire-reports/TEST-x.xml"
      }
      command_test plugins native
      """;

  @TempDir
  Path folder;

  private Run.Result test(int failures) throws Exception {
    return Run.command("bash", "-c", TOOLS, "bash", folder).with("FAILURES", Integer.toString(failures)).run();
  }

  @Test
  void nativeTestsThatMeasureNoTimeRunBesideThePlugIns() throws Exception {
    String out = test(0).expect(0).out();
    assertTrue(out.matches("(?s)  plugins +4 passed, 0 failed, 0 skipped in \\d+:\\d\\d min\n"
        + "  native +2 passed, 0 failed, 0 skipped in \\d+:\\d\\d min\n6 passed, 0 failed\n"), out);
    String order = Files.readString(folder.resolve("order"));
    assertTrue(order.startsWith("timed\n"), order);
    assertTrue(order.endsWith("nice: 10\n"), order);
  }

  @Test
  void theirFailuresAreCounted() throws Exception {
    String out = test(1).expect(1).out();
    assertTrue(out.contains("  native         1 passed, 1 failed, 0 skipped in "), out);
    assertEquals("5 passed, 1 failed", out.lines().reduce((first, last) -> last).orElseThrow());
  }
}
