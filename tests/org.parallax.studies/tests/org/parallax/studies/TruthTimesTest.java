package org.parallax.studies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TruthTimesTest {
  @TempDir
  Path folder;

  private TruthTimes times(String text) throws Exception {
    return new TruthTimes(Files.writeString(folder.resolve("truth.tsv"), text.replace(' ', '\t')));
  }

  @Test
  void theGainIsTheMeanOfTheBlocks() throws Exception {
    TruthTimes times = times("0.0 base 90\n0.0 f 80\n0.0 base 110\n0.1 base 100\n0.1 f 60\n0.1 base 100\n");
    assertEquals(30, times.gain("f").value(), 1e-9);
    assertEquals(10, times.gain("f").error(), 1e-9);
    assertEquals(90, times.leastBaseNs());
  }

  @Test
  void oneBlockHasNoScatter() throws Exception {
    TruthTimes times = times("0 base 100\n0 f 75\n0 base 100\n");
    assertEquals(25, times.gain("f").value(), 1e-9);
    assertEquals(0, times.gain("f").error());
    assertFalse(times.gain("g").isComplete());
  }
}
