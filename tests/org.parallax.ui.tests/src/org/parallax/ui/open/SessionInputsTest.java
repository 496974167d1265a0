package org.parallax.ui.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.trace.testing.SessionInputs;
import org.parallax.trace.testing.SessionInputs.Input;
import org.parallax.ui.ParallaxUi;
import org.parallax.ui.testing.Workbench;

/** What a person opens stands for the same runs as on the command line. */
class SessionInputsTest {
  @TempDir Path directory;

  @TestFactory
  Stream<DynamicTest> theSameTracesAreOpened() {
    return SessionInputs.in(directory).stream()
        .map(input -> DynamicTest.dynamicTest(input.name(), () -> check(input)));
  }

  /** What can be read is open; why the rest is not stands in the views. */
  private static void check(Input input) throws Exception {
    Workbench.reset();
    ParallaxUi.session().open(input.paths());
    Workbench.settle();
    List<String> opened = ParallaxUi.session().state().traces().stream()
        .map(trace -> String.valueOf(trace.directory().getFileName())).toList();
    String error = ParallaxUi.session().state().error();
    assertEquals(input.traces(), opened, error);
    assertEquals(input.fault().isEmpty(), error.isEmpty(), error);
    assertTrue(error.contains(input.fault()), error);
  }
}
