package org.parallax.ui.workbench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.parallax.ui.testing.LogEntries;

/**
 * At the end of all tests (they run in the order of their names) the workbench's log has nothing of
 * ours: no test provokes a fault of Parallax itself.
 */
class ErrorLogTest {
  @Test
  void theLogHasNothingOfOurs() throws Exception {
    assertEquals(List.of(), LogEntries.ofParallax());
  }
}
