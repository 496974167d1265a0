package org.parallax.cli;

import java.nio.file.Path;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.parallax.record.Agent;

/** The command line uses the native programs of the build while the tests of a class run. */
final class BuiltPrograms implements BeforeAllCallback, AfterAllCallback {
  static final Path DIRECTORY = Path.of(System.getProperty("parallax.root", "."), "native", "build");

  private String before;

  @Override
  public void beforeAll(ExtensionContext context) {
    before = System.getProperty(Agent.RECORDER_PROPERTY);
    use();
  }

  /** Again, after a test that has named others. */
  static void use() {
    System.setProperty(Agent.RECORDER_PROPERTY, DIRECTORY.resolve("parallax-record").toString());
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (before == null) {
      System.clearProperty(Agent.RECORDER_PROPERTY);
    } else {
      System.setProperty(Agent.RECORDER_PROPERTY, before);
    }
  }
}
