package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.record.Agent;

/** What {@code record --dilation} answers to bad input: one message, and no trace. */
class RecordCommandTest {
  @TempDir
  Path directory;

  private Run run(Object... more) {
    List<Object> line = new ArrayList<>(List.of("record"));
    line.addAll(List.of(more));
    return Run.of(line.toArray());
  }

  private static void assertOne(int status, String part, Run run) {
    assertEquals(status, run.status(), run.err());
    assertTrue(run.err().startsWith("parallax: "), run.err());
    assertTrue(run.err().contains(part), run.err());
    assertEquals("", run.out());
    assertEquals(1, run.err().lines().filter(line -> line.startsWith("parallax: ")).count(), run.err());
  }

  @Test
  void wrongNumbersAndMissingPrograms() {
    assertOne(2, "option --dilation cannot be \"1\"; the value must be a number of at least 2",
        run("--dilation", "1", "--", "true"));
    assertOne(2, "option --dilation cannot be \"many\"", run("--dilation", "many", "--", "true"));
    assertOne(2, "the program to run is missing", run("--dilation", "3"));
    assertOne(2, "--confidence cannot be 100", run("--dilation", "3", "--confidence", "100", "--", "true"));
    assertOne(2, "--dilation is missing", run("--", "true"));
    assertOne(1, "it exists", run("--dilation", "2", "-o", directory, "--", "true"));
  }

  @Test
  void aProgramThatFails() throws Exception {
    Path recorder = Files.writeString(directory.resolve("recorder"),
        "#!/bin/sh\necho solver: no input >&2\nexit 3\n");
    Files.setPosixFilePermissions(recorder, PosixFilePermissions.fromString("rwx------"));
    String before = System.setProperty(Agent.RECORDER_PROPERTY, recorder.toString());
    Path trace = directory.resolve("trace");
    try {
      assertOne(1, "run 1 of 4, without the agent, ended with status 3: solver: no input",
          run("--dilation", "2", "-o", trace, "--", "solver"));
    } finally {
      if (before == null) {
        System.clearProperty(Agent.RECORDER_PROPERTY);
      } else {
        System.setProperty(Agent.RECORDER_PROPERTY, before);
      }
    }
    assertFalse(Files.exists(trace));
  }
}
