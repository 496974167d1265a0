package org.parallax.studies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTimesTest {
  @Test
  void theLeastOfTheRoundsIsShown(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("times"), """
        1000000\tcritical-path\t2000000000
        1000000\tcritical-path\t500000000
        1000000\tgprof\t1234000000
        3000000\tcritical-path\t1000000000
        3000000\tgprof\t3000000000
        """);
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    ReportTimes.print(file, new PrintStream(text, true, StandardCharsets.UTF_8));
    assertEquals(" ".repeat(9) + "events" + " ".repeat(2) + "critical-path" + " ".repeat(10) + "gprof"
        + " ".repeat(4) + "critical path [million events/s]\n"
        + "        1000000           0.50           1.23" + " ".repeat(33) + "2.0\n"
        + "        3000000           1.00           3.00" + " ".repeat(33) + "3.0\n",
        text.toString(StandardCharsets.UTF_8));
    Files.writeString(file, "");
    assertThrows(Failure.class, () -> ReportTimes.print(file, System.out));
  }
}
