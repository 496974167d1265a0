package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Saved launches on the command line, with a recorder that only runs the command. */
class LaunchCommandTest {
  @TempDir Path directory;
  private String before;

  @BeforeEach
  void makeRecorder() throws Exception {
    Path recorder = Files.writeString(directory.resolve("recorder"), """
        #!/bin/sh
        while [ "$1" != -o ]; do shift; done
        mkdir -p "$2"; echo parallax-trace = 1 > "$2/manifest"
        shift 3
        exec "$@"
        """);
    assertTrue(recorder.toFile().setExecutable(true));
    Files.copy(Path.of("/bin/true"), directory.resolve("libparallax-agent.so"));
    before = System.setProperty("parallax.record", recorder.toString());
  }

  @AfterEach
  void restore() {
    if (before == null) {
      System.clearProperty("parallax.record");
    } else {
      System.setProperty("parallax.record", before);
    }
  }

  private Path launch(String program, String arguments) throws Exception {
    return Files.writeString(directory.resolve("job.launch"), """
        <launchConfiguration type="org.parallax.launch.parallelProgram">
            <stringAttribute key="org.parallax.launch.applications" value="1"/>
            <stringAttribute key="org.parallax.launch.application.1.program" value="%s"/>
            <stringAttribute key="org.parallax.launch.application.1.arguments" value="%s"/>
            <stringAttribute key="org.parallax.launch.output" value="out"/>
        </launchConfiguration>
        """.formatted(program, arguments));
  }

  @Test
  void optionsOfRecordReplaceThoseOfTheLaunch() throws Exception {
    Files.writeString(directory.resolve("recorder"), """
        #!/bin/sh
        echo "$@" > %s
        while [ "$1" != -o ]; do shift; done
        mkdir -p "$2"; echo parallax-trace = 1 > "$2/manifest"
        """.formatted(directory.resolve("line")));
    Path file = launch("touch", "made");
    Files.writeString(file, Files.readString(file).replace("</launch", """
        <stringAttribute key="org.parallax.launch.sample-hz" value="10"/>
        <stringAttribute key="org.parallax.launch.max-size" value="2G"/>
        <stringAttribute key="org.parallax.launch.options" value="--quiet"/>
        </launch"""));
    Run run = Run.of("launch", file, "--sample-hz", "1000", "--adapters", "mpi", "--monitor=5");
    assertEquals(0, run.status(), run.err());
    String line = Files.readString(directory.resolve("line"));
    assertTrue(line.startsWith(
        "--sample-hz 1000 --adapters mpi --max-size 2G --monitor=5 --quiet --quiet -o"), line);
  }

  @Test
  void itRunsAndNamesWhatToLookAt() throws Exception {
    Path file = launch("touch", directory.resolve("made").toString());
    Run run = Run.of("launch", file);
    assertEquals(0, run.status(), run.err());
    assertTrue(Files.exists(directory.resolve("made")));
    assertTrue(run.err().endsWith("next: parallax report critical-path "
        + directory.resolve("out/job-1") + "\n"), run.err());
    Run again = Run.of("launch", file, "--repetitions", "2", "-o", directory.resolve("other"));
    assertEquals(0, again.status(), again.err());
    assertTrue(Files.exists(directory.resolve("other/job-1/job.parallax")));
    assertTrue(Files.exists(directory.resolve("other/job-1/touch-2.trace")));
    assertTrue(Run.of("session", directory.resolve("other/job-1/job.parallax")).out()
        .contains("touch-2              active      touch-2.trace  group job"));
  }

  @Test
  void theStatusIsThatOfTheProgram() throws Exception {
    Run run = Run.of("launch", launch("sh", "-c 'exit 4'"));
    assertEquals(4, run.status());
    assertTrue(run.err().contains("sh exited with status 4"), run.err());
  }

  @Test
  void whatIsMissingIsToldBeforeAnythingRuns() throws Exception {
    Run run = Run.of("launch", launch("./solver", ""));
    assertEquals(1, run.status());
    assertTrue(run.err().contains("solver does not exist; build it, or correct its path"), run.err());
    assertFalse(Files.exists(directory.resolve("out")));
    assertEquals("ready to run: job\n",
        Run.of("launch", launch("true", ""), "--check").out());
    assertEquals(2, Run.of("launch").status());
    assertTrue(Run.of("launch", directory.resolve("none")).err().contains("there is no file"));
  }
}
