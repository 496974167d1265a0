package org.parallax.studies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NumbersTest {
  /** The expected texts are those of printf of the C library. */
  @Test
  void numbersAreRoundedAsInC() {
    assertEquals("0.12", Numbers.fixed(0.125, 2));
    assertEquals("0.38", Numbers.fixed(0.375, 2));
    assertEquals("1.00", Numbers.fixed(1.005, 2));
    assertEquals("2", Numbers.fixed(2.5, 0));
    assertEquals("-0.00", Numbers.fixed(-0.001, 2));
    assertEquals("-1.5", Numbers.fixed(-1.5, 1));
    assertEquals("12345678901234", Numbers.fixed(12345678901234.0, 0));
    assertEquals("-", Numbers.fixed(Double.NaN, 2));
    assertEquals("1.500", Numbers.seconds(1_500_000_000, 3));
  }

  @Test
  void theMedianIsTheMiddle() {
    assertEquals(2, Numbers.median(new double[] {9, 1, 2}));
    assertEquals(3, Numbers.median(new double[] {4, 9, 1, 2}));
    assertThrows(Failure.class, () -> Numbers.median(new double[0]));
  }

  @Test
  void aFileOfNumbersIsRead(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("ns"), "10\n2.5\n");
    assertEquals(6.25, Numbers.median(Numbers.read(file)));
    Files.writeString(file, "ten\n");
    assertThrows(Failure.class, () -> Numbers.read(file));
  }
}
