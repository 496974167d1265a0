package org.parallax.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A level of the native part is not built again if one that holds it has been built of the same sources. */
class NativeStepsTest {
  /** Stands for all tools: names the levels that are built. */
  private static final String TOOLS = """
      set -euo pipefail
      root=$1 state=$1/state
      source scripts/setup.sh
      need_packages() { :; }
      lock() { :; }
      unlock() { :; }
      mkdir -p "$root/native/build" "$root"/tests/{programs,studies} "$state"
      touch "$root/native/source" "$root/native/build/parallax-record"
      chmod +x "$root/native/build/parallax-record"
      for level in "${@:2}"; do
        if [[ $level == change ]]; then
          touch -d yesterday "$root/native/source"
        else
          step() { echo "$level"; }
          need_native "$level"
        fi
      done
      """;

  @TempDir
  Path folder;

  private String built(String levels) throws Exception {
    return Run.command("bash", "-c", TOOLS, "bash", folder).and((Object[]) levels.split(" ")).run().expect(0).out()
        .trim().replace('\n', ' ');
  }

  @Test
  void whatTheTestsNeedHoldsWhatAPersonNeeds() throws Exception {
    assertEquals("test", built("test programs tools formats bench demo record"));
  }

  @Test
  void whatOtherLevelsLeaveOutIsBuilt() throws Exception {
    assertEquals("record tools programs experiments test study",
        built("record tools formats record programs tools experiments test study study"));
  }

  @Test
  void changedSourcesAreBuiltAgain() throws Exception {
    assertEquals("test tools test", built("test tools change tools record test tools"));
  }
}
