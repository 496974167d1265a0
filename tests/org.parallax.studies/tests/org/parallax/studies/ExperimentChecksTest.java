package org.parallax.studies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentChecksTest {
  private static final String TRIAL = "<trials status=\"DONE\" durationNs=\"7\"><counts factor=\"parse\" count=\"8\"/>"
      + "<counts factor=\"compress\" count=\"8\"/><counts factor=\"hash\" count=\"8\"/>"
      + "<counts factor=\"emit\" count=\"16\"/><counts factor=\"store\" count=\"16\"/></trials>";

  @TempDir
  Path folder;
  private final ByteArrayOutputStream text = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(text, true, StandardCharsets.UTF_8);

  private Path experiment(String trials) throws Exception {
    return Files.writeString(folder.resolve("speedup.experiment"), "<?xml version=\"1.0\"?><e>" + trials + "</e>");
  }

  @Test
  void trialsThatWereMadeAreSound() throws Exception {
    assertTrue(ExperimentChecks.areTrialsSound(experiment(TRIAL + TRIAL), 2, 8, out), text::toString);
    assertEquals("", text.toString());
  }

  @Test
  void whatIsMissingOrWrongIsTold() throws Exception {
    assertFalse(ExperimentChecks.areTrialsSound(experiment(TRIAL + TRIAL.replace("DONE", "FAILED")), 2, 8, out));
    assertFalse(ExperimentChecks.areTrialsSound(experiment(TRIAL.replace("16", "15")), 1, 8, out));
    assertFalse(ExperimentChecks.areTrialsSound(experiment(TRIAL.replace(" durationNs=\"7\"", "")), 1, 8, out));
    assertEquals("speedup: 1 of 2 trials were made\nspeedup: 3 of 5 counts are those of the program\n"
        + "speedup: 0 of 1 trials were made\n", text.toString());
    assertThrows(Failure.class, () -> ExperimentChecks.areTrialsSound(experiment("<a"), 1, 8, out));
  }

  @Test
  void delaysTakeTheirTime() throws Exception {
    String head = "name,requested,achieved,skipped\n";
    String right = "a,100,100,0\nb,100,99,0\nc,100,150,0\nd,100,100,0\n";
    assertTrue(delays(head + right + "e,1,1,0\n"), text::toString);
    assertFalse(delays(head + right), "one is missing");
    assertEquals("", text.toString());
    assertFalse(delays(head + right + "e,100,98,0\n"));
    assertFalse(delays(head + right + "e,100,100,2\n"));
    assertFalse(delays(head + right + "e,0,0,0\n"));
    assertEquals("delays of e: 98 ns of 100 ns, 0 skipped\ndelays of e: 100 ns of 100 ns, 2 skipped\n"
        + "delays of e: 0 ns of 0 ns, 0 skipped\n", text.toString());
  }

  private boolean delays(String csv) throws Exception {
    return ExperimentChecks.areDelaysSound(Csv.read(Files.writeString(folder.resolve("counts.csv"), csv)), out);
  }
}
