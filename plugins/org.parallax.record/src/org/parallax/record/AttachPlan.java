package org.parallax.record;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.parallax.model.RunMode;
import org.parallax.record.LaunchPlan.PlannedApplication;
import org.parallax.record.LaunchPlan.Variables;

/** Plans of launches that record programs that run already. */
public final class AttachPlan {
  /** Options of the recorder that need the start of a program, by their attributes. */
  public static final Set<String> AT_START = Set.of(LaunchAttributes.TRANSPORT,
      LaunchAttributes.WHEN_FULL, LaunchAttributes.CLOCK_OFFSETS, LaunchAttributes.END_ALL);

  private AttachPlan() {}

  /** Why a launch cannot run where nobody can be asked. */
  public static RecordException needsWorkbench() {
    return new RecordException("a running program is chosen in the workbench; without it use: "
        + "parallax record --attach PID");
  }

  /**
   * Reads a saved launch. All programs are recorded in one trace; recording can be paused.
   *
   * @param title the name of the saved launch
   * @param base to which paths refer that are not absolute
   * @param programs at least one
   * @throws RecordException when something in it is wrong
   */
  public static LaunchPlan of(String title, Map<String, String> attributes, Path base,
      Variables variables, List<RunningProgram> programs) throws RecordException {
    List<String> options = new ArrayList<>();
    for (RecorderOption option : RecorderOption.ALL) {
      if (!AT_START.contains(option.attribute())) {
        LaunchPlan.addOption(option, attributes, base, variables, options);
      }
    }
    if (LaunchPlan.value(attributes, LaunchAttributes.CONTROL, variables).isEmpty()) {
      options.add("--control=running");
    }
    String time = LaunchPlan.value(attributes, LaunchAttributes.ATTACH_TIME, variables);
    if (!time.isEmpty()) {
      options.addAll(List.of("--for", time));
    }
    options.addAll(CommandLine.split(
        LaunchPlan.value(attributes, LaunchAttributes.OPTIONS, variables)));
    String program = LaunchPlan.fileName(programs.get(0).name());
    String runName = LaunchPlan.value(attributes, LaunchAttributes.RUN_NAME, variables);
    String output = LaunchPlan.value(attributes, LaunchAttributes.OUTPUT, variables);
    PlannedApplication application = new PlannedApplication(program, RunMode.ACTIVE,
        List.of(programs.get(0).name()), base, Map.of(), 0, List.of(), null,
        programs.stream().map(RunningProgram::pid).toList());
    return new LaunchPlan(runName.isEmpty() ? program : LaunchPlan.fileName(runName),
        List.of(application), List.copyOf(options),
        base.resolve(output.isEmpty() ? LaunchPlan.USUAL_OUTPUT : output).normalize(), 1);
  }
}
