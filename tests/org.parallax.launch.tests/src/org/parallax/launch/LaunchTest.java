package org.parallax.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.parallax.launch.Launching.assertContains;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.debug.core.DebugPlugin;
import org.eclipse.debug.core.ILaunch;
import org.eclipse.debug.core.ILaunchConfiguration;
import org.eclipse.debug.core.ILaunchConfigurationWorkingCopy;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Table;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.parallax.launch.tuning.TuningSession;
import org.parallax.launch.tuning.TuningSessions;
import org.parallax.model.Session;
import org.parallax.model.files.SessionFile;
import org.parallax.model.program.Application;
import org.parallax.record.ApplicationSettings;
import org.parallax.record.CdtLaunch;
import org.parallax.record.FileVariables;
import org.parallax.record.LaunchAttributes;
import org.parallax.record.LaunchAttributes.Field;
import org.parallax.record.LaunchFile;
import org.parallax.record.LaunchPlan;
import org.parallax.trace.Trace;
import org.parallax.tuning.analyzer.Decision;
import org.parallax.tuning.live.LiveState;
import org.parallax.tuning.live.ProcessState;
import org.parallax.tuning.session.Replay;
import org.parallax.ui.session.OpenRun;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.Workbench;

/** Launches of real programs in a real workbench. */
class LaunchTest {
  private IProject project;
  private IFile heat;
  private IFile queue;

  @BeforeEach
  void makePrograms() throws Exception {
    Launching.reset();
    project = Workbench.project("programs");
    heat = Launching.program(project, "heat.openmpi");
    queue = Launching.program(project, "mutex_queue");
  }

  private ApplicationSettings queue() {
    return ApplicationSettings.EMPTY.with(Field.NAME, "queue")
        .with(Field.PROGRAM, "${workspace_loc:" + queue.getFullPath() + "}");
  }

  private Path traces() {
    return project.getLocation().toPath().resolve("traces");
  }

  private static List<Path> open() {
    return OpenSession.current().state().traces().stream().map(Trace::directory).sorted().toList();
  }

  /** Whether a table of the workbench has a row that begins so. */
  private static boolean isShown(String row) {
    return Workbench.find(Workbench.window().getShell(), Table.class, table ->
        table.isVisible() && Arrays.stream(table.getItems())
            .anyMatch(item -> item.getText(0).contains(row))).size() > 0;
  }

  @Test
  void aProgramRunsWithItsOutputInAConsoleAndItsTraceOpensInTheEnd() throws Exception {
    ILaunchConfiguration configuration = Launching.configuration("heat", Map.of(),
        Launching.heat(heat, "200 256 256"));
    Map<String, Object> before = configuration.getAttributes();
    ILaunch launch = Launching.launch(configuration);
    Launching.awaitEnd(launch);
    assertEquals(1, Launching.applications(launch).size());
    assertEquals(0, Launching.applications(launch).get(0).getExitValue());
    assertContains("heat: mean temperature", Launching.console(
        Launching.applications(launch).get(0)));
    assertEquals(List.of(traces().resolve("heat-1")), open());
    Trace trace = OpenSession.current().state().traces().get(0);
    assertEquals(4, trace.processes().size());
    Workbench.await("the critical path in a table", () -> isShown("refine_cells"));
    assertEquals(4, Launching.whole(launch).counts().processes());
    assertContains(" events, ", Launching.whole(launch).getLabel());
    assertNotEquals(0, Launching.whole(launch).counts().events());
    assertEquals(before, configuration.getAttributes());
    Workbench.await("the trace in the workspace",
        () -> project.getFolder("traces/heat-1").exists());
    // A second launch leaves the first trace alone.
    Launching.awaitEnd(Launching.launch(configuration));
    assertEquals(List.of(traces().resolve("heat-1"), traces().resolve("heat-2")), open());
  }

  @Test
  void stopEndsTheWholeProgramAndItsTraceStays() throws Exception {
    ILaunch launch = Launching.launch(Launching.configuration("heat",
        Map.of(LaunchAttributes.REPETITIONS, "5"), Launching.heat(heat, "1000000 256 256")));
    MeasurementProcess whole = Launching.whole(launch);
    Workbench.await("events", () -> whole.counts().events() > 1000
        && whole.counts().processes() == 4);
    Job job = Job.getJobManager().find(MeasurementJob.FAMILY)[0];
    assertEquals("Recording heat", job.getName());
    List<ProcessHandle> started = whole.run().running().get(0).process().descendants().toList();
    assertTrue(started.size() >= 5, started::toString);
    Launching.applications(launch).get(0).terminate();
    Launching.awaitEnd(launch);
    assertEquals(List.of(), started.stream().filter(LaunchTest::isRunning).toList());
    // No further repetition was begun, and what was recorded can be read.
    assertEquals(1, Launching.applications(launch).size());
    assertEquals(List.of(traces().resolve("heat-1/heat-1.trace")), open());
    assertEquals(4, OpenSession.current().state().traces().get(0).processes().size());
  }

  /** Ranks of MPI are recorded and tuned at the same time, by a model in a file. */
  @Test
  void aProgramIsTunedWhileItRuns() throws Exception {
    Files.writeString(project.getLocation().toPath().resolve("calls.yaml"), """
        name: calls
        about: Fewer calls cost less
        measure: [{name: all, routines: ["mpi:*"]}]
        each: process
        after: 20 of all
        steady: 1
        when: count(all) > 10
        act: {mpi_variable: none, value: 2}
        verify: {metric: elapsed() / count(all), better: lower, after: 50 of all}
        reason: "{count(all)} calls"
        """);
    project.refreshLocal(IResource.DEPTH_ONE, null);
    ILaunch launch = Launching.launch(Launching.configuration("heat", Map.of(LaunchAttributes.TUNE, "advise",
        LaunchAttributes.TUNE_MODELS, "-", LaunchAttributes.TUNE_FILES, "${workspace_loc:/programs/calls.yaml}"),
        Launching.heat(heat, "4000 64 64")));
    Launching.awaitEnd(launch);
    assertEquals(0, Launching.applications(launch).get(0).getExitValue());
    assertContains("heat: mean temperature", Launching.console(Launching.applications(launch).get(0)));
    assertEquals(List.of(traces().resolve("heat-1")), open());
    assertEquals(4, OpenSession.current().state().traces().get(0).processes().size());
    TuningSession session = TuningSessions.get().all().get(0);
    Workbench.await("the end of the session", () -> !session.isLive());
    assertEquals("", session.problem());
    LiveState state = session.state();
    assertEquals(List.of("rank 0", "rank 1", "rank 2", "rank 3"), state.processes().stream().map(ProcessState::part)
        .filter(part -> !part.isEmpty()).sorted().toList());
    // A process can get the same advice again when it sends other messages.
    assertEquals(4, state.decisions().stream().map(Decision::subject).distinct().count(),
        () -> state.decisions().toString());
    assertTrue(Files.isRegularFile(traces().resolve("heat-1.tuning/session.jsonl")));
    assertEquals(List.of(), Replay.of(traces().resolve("heat-1.tuning")).differences());
  }

  @Test
  void aLaunchWithAWrongModelDoesNotBegin() throws Exception {
    Files.writeString(project.getLocation().toPath().resolve("wrong.yaml"), "name: wrong\n");
    project.refreshLocal(IResource.DEPTH_ONE, null);
    CoreException refused = assertThrows(CoreException.class, () -> Launching.launch(Launching.configuration("heat",
        Map.of(LaunchAttributes.TUNE, "act", LaunchAttributes.TUNE_FILES, "${workspace_loc:/programs/wrong.yaml}"),
        Launching.heat(heat, "10 64 64"))));
    assertContains("wrong.yaml:1:1: ", refused.getStatus().getMessage());
    assertFalse(Files.exists(traces()));
  }

  private static boolean isRunning(ProcessHandle process) {
    try {
      String status = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
      return status.charAt(status.lastIndexOf(')') + 2) != 'Z';
    } catch (java.io.IOException e) {
      return false;
    }
  }

  @Test
  void cancellingTheProgressEndsTheLaunch() throws Exception {
    ILaunch launch = Launching.launch(Launching.configuration("heat", Map.of(),
        Launching.heat(heat, "1000000 256 256")));
    Workbench.await("events", () -> Launching.whole(launch).counts().events() > 1000);
    Job.getJobManager().find(MeasurementJob.FAMILY)[0].cancel();
    Launching.awaitEnd(launch);
    assertEquals(List.of(traces().resolve("heat-1")), open());
  }

  private static String refusal(ILaunchConfiguration configuration) {
    return assertThrows(CoreException.class, () -> Launching.launch(configuration)).getStatus()
        .getMessage();
  }

  @Test
  void whatIsMissingIsToldBeforeAnythingRuns() throws Exception {
    assertContains("The launcher mpirun.openmpi does not exist, not even in PATH; install an MPI",
        refusal(Launching.configuration("no mpi", Map.of(),
            Launching.heat(heat, "").with(Field.ENVIRONMENT, "PATH=/nowhere"))));
    assertContains("build it, or correct its path", refusal(Launching.configuration("no program",
        Map.of(), queue().with(Field.PROGRAM, "/nowhere/solver")
            .with(Field.DIRECTORY, "/tmp"))));
    assertContains("There is no trace in", refusal(Launching.configuration("no trace", Map.of(),
        queue(), ApplicationSettings.EMPTY.with(Field.MODE, "replay")
            .with(Field.TRACE, "/nowhere/trace"))));
    assertContains("has no application", refusal(Launching.configuration("empty", Map.of())));
    String before = System.setProperty("parallax.record", "/nowhere/parallax-record");
    try {
      assertContains("./parallax setup", refusal(Launching.configuration("no agent", Map.of(),
          queue())));
    } finally {
      System.setProperty("parallax.record", before);
    }
    assertFalse(Files.exists(traces()));
    assertEquals(List.of(), open());
  }

  /** Answers the question of the next launch by this button. */
  private static void answer(String button, StringBuilder asked) {
    Display display = Display.getCurrent();
    long end = System.currentTimeMillis() + 120_000;
    display.timerExec(50, new Runnable() {
      @Override
      public void run() {
        Shell dialog = Workbench.dialog("Incomplete Trace");
        if (dialog != null) {
          asked.append(Workbench.texts(dialog));
          Workbench.press(Workbench.button(dialog, button));
        } else if (System.currentTimeMillis() < end) {
          display.timerExec(50, this);
        }
      }
    });
  }

  @Test
  void aProgramWithoutSymbolsIsLaunchedWhenAPersonWantsThat() throws Exception {
    assertEquals(0, new ProcessBuilder("strip", queue.getLocation().toOSString()).start().waitFor());
    ILaunchConfiguration configuration = Launching.configuration("queue", Map.of(), queue());
    StringBuilder asked = new StringBuilder();
    answer("Cancel", asked);
    Launching.launch(configuration);
    assertContains("has no symbols: functions will be shown as addresses; build it with -g",
        asked.toString());
    assertFalse(Files.exists(traces()));
    answer("OK", asked);
    Launching.awaitEnd(Launching.launch(configuration));
    assertEquals(List.of(traces().resolve("queue-1")), open());
  }


  @Test
  void newerRunsTakeThePlaceOfOlderOnes() throws Exception {
    ILaunchConfiguration configuration = Launching.configuration("queue", Map.of(), queue());
    ILaunchConfiguration other = Launching.configuration("other",
        Map.of(LaunchAttributes.REPETITIONS, "2"), queue());
    for (ILaunchConfiguration each : List.of(configuration, other, configuration)) {
      Launching.awaitEnd(Launching.launch(each));
    }
    List<Path> others = List.of(traces().resolve("other-1/queue-1.trace"),
        traces().resolve("other-1/queue-2.trace"));
    assertEquals(List.of(others.get(0), others.get(1), traces().resolve("queue-1"),
        traces().resolve("queue-2")), open());
    Launching.awaitEnd(Launching.launch(configuration));
    // The newest is selected; the one before it is there to be compared with.
    assertEquals(List.of(others.get(0), others.get(1), traces().resolve("queue-2"),
        traces().resolve("queue-3")), open());
    assertEquals(traces().resolve("queue-3"), selectedTrace());
    assertTrue(Files.isDirectory(traces().resolve("queue-1")));
    // Repetitions are one run.
    assertEquals(List.of("other-1", "queue-2", "queue-3"),
        OpenSession.current().runs().all().stream().map(OpenRun::name).toList());
    assertEquals(2, OpenSession.current().runs().all().get(0).repetitions().size());
    // A run with which a person compares stays, whatever is launched after it.
    OpenSession.current().setBaseline(List.of(traces().resolve("queue-2")));
    try {
      for (int i = 0; i < 2; i++) {
        Launching.awaitEnd(Launching.launch(configuration));
      }
      assertEquals(List.of(others.get(0), others.get(1), traces().resolve("queue-2"),
          traces().resolve("queue-4"), traces().resolve("queue-5")), open());
    } finally {
      OpenSession.current().setBaseline(List.of());
    }
  }

  private static Path selectedTrace() {
    return ((Application) OpenSession.current().state().scope().object()).getTrace().directory();
  }

  @Test
  void replayAndRepetitionsMakeASessionThatCompares() throws Exception {
    Launching.awaitEnd(Launching.launch(Launching.configuration("first", Map.of(), queue())));
    Path first = traces().resolve("first-1");
    assertEquals(List.of(first), open());
    Launching.awaitEnd(Launching.launch(Launching.configuration("again",
        Map.of(LaunchAttributes.REPETITIONS, "2"), queue(), ApplicationSettings.EMPTY
            .with(Field.NAME, "old").with(Field.MODE, "comparison")
            .with(Field.TRACE, first.toString()))));
    Path second = traces().resolve("again-1");
    assertEquals(List.of(second.resolve("queue-1.trace"), second.resolve("queue-2.trace"), first),
        open());
    Session session = SessionFile.read(second.resolve("again.parallax"));
    assertEquals(List.of("again", "again"),
        session.getRuns().stream().limit(2).map(run -> run.getGroup()).toList());
    assertNull(session.getRuns().get(2).getGroup());
    // Only replayed: nothing runs, the trace opens.
    OpenSession.current().close(OpenSession.current().state().traces());
    Workbench.settle();
    Launching.awaitEnd(Launching.launch(Launching.configuration("replay", Map.of(
        LaunchAttributes.OUTPUT, traces().toString()), ApplicationSettings.EMPTY
            .with(Field.MODE, "replay").with(Field.TRACE, first.toString()))));
    assertEquals(List.of(first), open());
  }

  @Test
  void theSavedFileSaysTheSameWithoutAWorkbench() throws Exception {
    ILaunchConfigurationWorkingCopy copy = Launching.configuration("shared",
        Map.of(LaunchAttributes.SAMPLE_HZ, "500", LaunchAttributes.REPETITIONS, "2"),
        Launching.heat(heat, "10 'a b'"), queue()).getWorkingCopy();
    copy.setContainer(project);
    ILaunchConfiguration shared = copy.doSave();
    Path file = shared.getFile().getLocation().toPath();
    FileVariables variables = new FileVariables(file, null);
    LaunchFile launch = LaunchFile.read(file);
    assertEquals(LaunchPlans.of(shared), LaunchPlan.of(launch.name(), launch.settings(),
        variables.base(), variables));
  }

  @Test
  void applicationsOfCdtAreRecordedInProfileMode() throws Exception {
    ILaunchConfigurationWorkingCopy copy = DebugPlugin.getDefault().getLaunchManager()
        .getLaunchConfigurationType(CdtLaunch.TYPE).newInstance(null, "c program");
    copy.setAttribute(CdtLaunch.PROJECT, "programs");
    copy.setAttribute(CdtLaunch.PROGRAM, "mutex_queue");
    copy.setAttribute(CdtLaunch.ENVIRONMENT, Map.of("SOME", "value"));
    ILaunch launch = Launching.launch(copy.doSave());
    Launching.awaitEnd(launch);
    assertEquals(0, Launching.applications(launch).get(0).getExitValue());
    assertEquals(List.of(traces().resolve("c_program-1")), open());
  }
}
