package org.parallax.cdt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Lines of offsets, against counting them. */
class LinesTest {
  @Test
  void linesAreThoseThatAreCounted() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 50; round++) {
      StringBuilder text = new StringBuilder();
      int length = random.nextInt(400);
      for (int i = 0; i < length; i++) {
        text.append(random.nextInt(3) == 0 ? '\n' : 'x');
      }
      Lines lines = new Lines(text.toString());
      int line = 1;
      for (int i = 0; i < length; i++) {
        assertEquals(line, lines.of(i), "seed " + seed + ", offset " + i + " of " + text);
        line += text.charAt(i) == '\n' ? 1 : 0;
      }
      assertEquals(line, lines.of(length), "seed " + seed);
    }
  }
}
