package org.parallax.analysis.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What is offered for a wrong name. */
class NearNamesTest {
  @Test
  void nearNamesAreOfferedElseShortOnes() {
    List<String> names = List.of("solve", "void std::construct<" + "T".repeat(50) + ">()", "main");
    assertEquals("; did you mean solve?", NearNames.hint("slove", names));
    assertEquals("; choose from: solve, main, ...", NearNames.hint("exchange", names));
    assertEquals("", NearNames.hint("exchange", List.of()));
  }
}
