package org.parallax.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.parallax.launch.Launching.assertContains;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IProject;
import org.eclipse.debug.core.ILaunchConfiguration;
import org.eclipse.debug.core.ILaunchConfigurationWorkingCopy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.parallax.record.ApplicationSettings;
import org.parallax.record.FileVariables;
import org.parallax.record.HeadlessLaunch;
import org.parallax.record.LaunchAttributes;
import org.parallax.record.LaunchAttributes.Field;
import org.parallax.record.LaunchFile;
import org.parallax.record.LaunchPlan;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;
import org.parallax.trace.Trace;
import org.parallax.ui.testing.Workbench;

/** One saved launch, run by the workbench, by Eclipse without it, and as the command line does. */
class HeadlessTest {
  private static final List<String> MEASURED =
      List.of("command", "directory", "sample-hz", "exit-status");

  private IProject project;
  private Path traces;

  @BeforeEach
  void makePrograms() throws Exception {
    Launching.reset();
    project = Workbench.project("programs");
    traces = project.getLocation().toPath().resolve("out");
  }

  /** A program that is repeated and compared, with all that a launch can say of a measurement. */
  private ILaunchConfiguration everything() throws Exception {
    IFile queue = Launching.program(project, "mutex_queue");
    ApplicationSettings application = ApplicationSettings.EMPTY.with(Field.NAME, "queue")
        .with(Field.PROGRAM, "${workspace_loc:" + queue.getFullPath() + "}")
        .with(Field.ENVIRONMENT, "SOME=value");
    Launching.awaitEnd(Launching.launch(Launching.configuration("first",
        Map.of(LaunchAttributes.OUTPUT, traces.toString()), application)));
    Files.writeString(project.getLocation().toPath().resolve("queue.filter"),
        "exclude function nothing_*\n");
    Map<String, String> attributes = new HashMap<>();
    attributes.put(LaunchAttributes.OUTPUT, "out");
    attributes.put(LaunchAttributes.REPETITIONS, "2");
    attributes.put(LaunchAttributes.SAMPLE_HZ, "200");
    attributes.put(LaunchAttributes.SAMPLE_CLOCK, "wall");
    attributes.put(LaunchAttributes.ADAPTERS, "pthread,process");
    attributes.put(LaunchAttributes.COUNT, "barrier");
    attributes.put(LaunchAttributes.FILTER, "queue.filter");
    attributes.put(LaunchAttributes.THROTTLE, "1000:1000");
    attributes.put(LaunchAttributes.MONITOR_HZ, "20");
    attributes.put(LaunchAttributes.OPTIONS, "--times " + traces.resolve("times"));
    ILaunchConfigurationWorkingCopy copy = Launching.configuration("again", attributes,
        application, ApplicationSettings.EMPTY.with(Field.NAME, "before")
            .with(Field.MODE, "comparison").with(Field.TRACE, "out/first-1")).getWorkingCopy();
    copy.setContainer(project);
    return copy.doSave();
  }

  private static int headless(StringBuilder told, String... arguments) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status = LaunchApplication.run(arguments, new PrintStream(err, true,
        StandardCharsets.UTF_8));
    told.append(err.toString(StandardCharsets.UTF_8));
    return status;
  }

  @Test
  void allWaysMakeTheSameRun() throws Exception {
    ILaunchConfiguration configuration = everything();
    Path file = configuration.getFile().getLocation().toPath();
    Launching.awaitEnd(Launching.launch(configuration));
    StringBuilder told = new StringBuilder();
    assertEquals(0, headless(told, "again"), told::toString);
    assertEquals(0, headless(told, file.toString()), told::toString);
    assertContains("next: parallax report critical-path "
        + traces.resolve("again-3/again.parallax"), told.toString());
    LaunchFile launch = LaunchFile.read(file);
    FileVariables variables = new FileVariables(file, null);
    LaunchPlan plan =
        LaunchPlan.of(launch.name(), launch.settings(), variables.base(), variables);
    assertEquals(0, HeadlessLaunch.run(plan, ParallelLaunchDelegate.agent(), teller(told)));
    String inIde = described(traces.resolve("again-1"));
    assertContains("queue-2.trace", inIde);
    assertContains("../first-1", inIde);
    assertContains("sample-hz = 200", inIde);
    for (int number = 2; number <= 4; number++) {
      assertEquals(inIde, described(traces.resolve("again-" + number)), "again-" + number);
    }
    assertTrue(Files.exists(traces.resolve("times")));
  }

  private static HeadlessLaunch.Teller teller(StringBuilder told) {
    return new HeadlessLaunch.Teller() {
      @Override
      public void error(String text) {
        told.append(text).append('\n');
      }

      @Override
      public void warn(String text) {
        told.append(text).append('\n');
      }

      @Override
      public void note(String text) {
        told.append(text).append('\n');
      }
    };
  }

  /** The session file, and of each trace what was asked of it and what kinds of things are in it. */
  private static String described(Path directory) throws Exception {
    StringBuilder text = new StringBuilder(Files.readString(directory.resolve("again.parallax")));
    for (String name : List.of("queue-1.trace", "queue-2.trace")) {
      text.append(name).append('\n');
      Path trace = directory.resolve(name);
      Files.readAllLines(trace.resolve("manifest")).stream()
          .filter(line -> MEASURED.contains(line.replaceFirst(" =.*", "")))
          .forEach(line -> text.append(line).append('\n'));
      try (Stream<Path> files = Files.list(trace)) {
        text.append(files.map(each -> each.getFileName().toString().replaceAll("\\d+", "N"))
            .distinct().sorted().toList()).append('\n');
      }
      text.append(kinds(trace)).append('\n');
    }
    return text.toString();
  }

  /** Without samples, which a short program may have or not. */
  private static Set<Integer> kinds(Path directory) throws Exception {
    Set<Integer> kinds = new TreeSet<>();
    try (Trace trace = Trace.open(directory, Progress.NONE)) {
      for (ProcessTrace process : trace.processes()) {
        for (ThreadTrace thread : process.threads()) {
          EventCursor cursor = thread.cursor();
          while (cursor.next()) {
            kinds.add(cursor.kind());
          }
        }
      }
    }
    kinds.remove(Kind.SAMPLE);
    return kinds;
  }

  @Test
  void whatIsMissingEndsIt() throws Exception {
    StringBuilder told = new StringBuilder();
    assertEquals(2, headless(told));
    assertEquals(1, headless(told, "nothing"));
    assertContains("parallax: there is no launch nothing in the workspace ", told.toString());
    Launching.configuration("no program", Map.of(), ApplicationSettings.EMPTY
        .with(Field.PROGRAM, "/nowhere/solver").with(Field.DIRECTORY, "/tmp"));
    assertEquals(1, headless(told, "no program"));
    assertContains("build it, or correct its path", told.toString());
    assertEquals(1, headless(told, "/nowhere/some.launch"));
    assertContains("there is no file /nowhere/some.launch", told.toString());
    Launching.configuration("fails", Map.of(LaunchAttributes.OUTPUT, traces.toString()),
        ApplicationSettings.EMPTY.with(Field.PROGRAM, "sh").with(Field.ARGUMENTS, "-c 'exit 7'")
            .with(Field.DIRECTORY, "/tmp"));
    assertEquals(7, headless(told, "fails"));
    assertContains("sh exited with status 7", told.toString());
    assertFalse(Files.exists(Path.of("/tmp/traces/fails-1")));
  }
}
