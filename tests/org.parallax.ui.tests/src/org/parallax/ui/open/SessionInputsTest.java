package org.parallax.ui.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.trace.testing.SessionInputs;
import org.parallax.trace.testing.SessionInputs.Input;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.Workbench;

/** What a person opens stands for the same runs as on the command line. */
class SessionInputsTest {
  @TempDir Path directory;

  /** What can be read is open; why the rest is not stands in the views. */
  @Test
  void theSameTracesAreOpened() throws Exception {
    for (Input input : SessionInputs.in(directory)) {
      Workbench.reset();
      OpenSession.current().open(input.paths());
      Workbench.settle();
      List<String> opened = OpenSession.current().state().traces().stream()
          .map(trace -> String.valueOf(trace.directory().getFileName())).toList();
      String error = OpenSession.current().state().error();
      assertEquals(input.traces(), opened, input.name() + ": " + error);
      assertEquals(input.fault().isEmpty(), error.isEmpty(), input.name() + ": " + error);
      assertTrue(error.toLowerCase().contains(input.fault().toLowerCase()),
          input.name() + ": " + error);
    }
  }
}
