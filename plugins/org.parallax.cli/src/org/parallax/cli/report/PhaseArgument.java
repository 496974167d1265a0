package org.parallax.cli.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Phase;
import org.parallax.analysis.phases.MpiPhase;
import org.parallax.analysis.phases.PhasesReport;
import org.parallax.analysis.phases.ProgramPhases;
import org.parallax.analysis.phases.ProposedPhases;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.text.Moment;
import org.parallax.analysis.text.NearNames;
import org.parallax.analysis.text.Quantity;
import org.parallax.cli.command.CommandFailure;
import org.parallax.cli.command.UsageException;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;

/**
 * The part of a run that {@code --phase} names: {@code FROM..TO}, times since the start of the run with
 * their unit, or percents of its length, of which either can be left out; {@code NAME} of a phase of
 * the program, or {@code NAME[N]} for an occurrence of it; {@code mpi}, the time between {@code MPI_Init}
 * and {@code MPI_Finalize}; {@code proposed[N]}.
 */
final class PhaseArgument {
  private static final Pattern FORM = Pattern.compile("(.*)\\.\\.(.*)");
  private static final Pattern NUMBERED = Pattern.compile("(.*)\\[(\\d{1,9})\\]");

  private PhaseArgument() {}

  /**
   * The phase of the applications of an analysis. Times are understood without reading anything;
   * names need the events.
   *
   * @param node whose threads' phases count; null for all
   * @throws UsageException for what is no phase
   * @throws CommandFailure for one that has nothing of the run in it
   */
  static Phase of(String text, ApplicationAnalysis analysis, TreeNode node, Progress progress)
      throws UsageException, CommandFailure {
    Matcher form = FORM.matcher(text);
    return form.matches() ? ofTimes(text, form, analysis) : named(text, analysis, node, progress);
  }

  private static Phase named(String text, ApplicationAnalysis analysis, TreeNode node,
      Progress progress) throws CommandFailure {
    ProgramPhases phases = ProgramPhases.of(analysis, node, progress);
    if (phases.names().contains(text)) {
      return new Phase(text, phases.window(text));
    }
    Matcher numbered = NUMBERED.matcher(text);
    String name = numbered.matches() ? numbered.group(1) : text;
    if (phases.names().contains(name)) {
      int number = Integer.parseInt(numbered.group(2));
      int most = phases.occurrences(name);
      checkNumber(text, number, most, "it occurs " + Quantity.of(most, "time", "times"));
      return new Phase(text, phases.window(name, number));
    }
    if (name.equals(PhasesReport.PROPOSED) && numbered.matches()) {
      List<Phase> proposed = ProposedPhases.of(analysis, node, progress);
      int number = Integer.parseInt(numbered.group(2));
      checkNumber(text, number, proposed.size(),
          Quantity.of(proposed.size(), "phase is", "phases are") + " proposed");
      Phase found = proposed.get(number - 1);
      return new Phase(text + ": " + found.name(), found.window());
    }
    Optional<MpiPhase> mpi = MpiPhase.of(analysis);
    if (text.equals(MpiPhase.NAME) && mpi.isPresent()) {
      return new Phase(text, mpi.get().window());
    }
    List<String> names = new ArrayList<>(phases.names());
    mpi.ifPresent(phase -> names.add(MpiPhase.NAME));
    names.add(PhasesReport.PROPOSED + "[1]");
    String hint = NearNames.hint(name, names);
    throw new CommandFailure("there is no phase \"" + name + "\" in " + analysis.name() + hint
        + (hint.endsWith("?") ? " Or" : "; or")
        + " give a time interval FROM..TO, such as 1.5s..2s, 200ms.. or 10%..90%");
  }

  private static void checkNumber(String text, int number, int most, String what)
      throws CommandFailure {
    if (number < 1 || number > most) {
      throw new CommandFailure(
          "there is no phase \"" + text + "\": " + what + ", counted from 1");
    }
  }

  private static Phase ofTimes(String text, Matcher form, ApplicationAnalysis analysis)
      throws UsageException, CommandFailure {
    long endNs = Moment.endNs(analysis);
    long from = form.group(1).isEmpty() ? Long.MIN_VALUE : time(form.group(1), endNs, text);
    long to = form.group(2).isEmpty() ? Long.MAX_VALUE : time(form.group(2), endNs, text);
    if (from >= to) {
      throw new UsageException("the phase \"" + text + "\" ends before it begins");
    }
    long beginNs = analysis.workload().processes().stream()
        .mapToLong(ProcessTrace::startNs).min().orElse(0);
    if (from >= endNs || to <= beginNs) {
      boolean isAlone = beginNs <= 0;
      throw new CommandFailure("the phase \"" + text + "\" is outside of the run"
          + (isAlone ? ", which took " + Quantity.time(endNs) : " of " + analysis.name()
              + ", which lasts from " + Quantity.time(beginNs) + " to " + Quantity.time(endNs)));
    }
    return new Phase(text, new Window(from, to));
  }

  private static long time(String text, long endNs, String phase) throws UsageException {
    return Moment.ns(text, endNs).orElseThrow(() -> wrong(phase));
  }

  private static UsageException wrong(String text) {
    return new UsageException("\"" + text + "\" is not a phase; write FROM..TO, such as 1.5s..2s, "
        + "200ms.. or 10%..90%, or a name that parallax report phases prints");
  }
}
