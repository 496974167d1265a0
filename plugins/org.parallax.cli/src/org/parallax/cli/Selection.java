package org.parallax.cli;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.ApplicationAnalysis.PathScope;
import org.parallax.model.Application;
import org.parallax.model.ProgramTree;
import org.parallax.model.Session;
import org.parallax.model.SessionBuilder;
import org.parallax.model.TreeNode;
import org.parallax.trace.Trace;

/**
 * What a command line names of a session: applications, a part of their time, a part of their tree.
 *
 * @param node null for all of the applications
 */
record Selection(ApplicationAnalysis analysis, TreeNode node) {
  static final List<Option> OPTIONS = List.of(
        Option.of("--app", "NAME", "one application; without it all, as text"),
        Option.choice("--scope", "SCOPE", List.of("intra", "inter", "global"), "alone, with "
            + "what others do for it, or together (intra)"),
        Option.of("--phase", "FROM..TO", "only this part of the time: 1.5s..2s, 200ms.., 10%..90%"),
        Option.of("--node", "PATH", "only MACHINE, MACHINE/PROCESS, .../THREAD or .../PROCEDURE"));

  /**
   * What the options say: each application by itself, or all together.
   *
   * @param ofPaths whether a path across applications has a meaning
   * @param holdsOne why there must be one, for a person; empty when there can be several
   */
  static List<Selection> of(Session session, Arguments arguments, boolean ofPaths, String holdsOne)
      throws UsageException, CommandFailure {
    List<Selection> selected = new ArrayList<>();
    for (ApplicationAnalysis whole : analyses(session, arguments, ofPaths, holdsOne)) {
      ApplicationAnalysis analysis = arguments.has("--phase")
          ? whole.during(PhaseArgument.of(arguments.get("--phase", ""), whole)) : whole;
      TreeNode node = arguments.has("--node") ? NodePath.find(
          analysis.pathScope() == PathScope.INTRA ? ProgramTree.logical(analysis.application())
              : ProgramTree.physical(session), arguments.get("--node", "")) : null;
      selected.add(new Selection(analysis, node));
    }
    return selected;
  }

  private static List<ApplicationAnalysis> analyses(Session session, Arguments arguments,
      boolean ofPaths, String holdsOne) throws CommandFailure, UsageException {
    PathScope scope = PathScope.valueOf(arguments.get("--scope", "intra").toUpperCase(Locale.ROOT));
    if (scope == PathScope.INTER && !ofPaths) {
      throw new UsageException("--scope inter is for paths: critical-path, what-if, slack and paths; "
          + "of others there is global");
    }
    List<Application> all = session.getApplications();
    if (scope != PathScope.INTRA) {
      checkOverlap(SessionBuilder.traces(session));
    }
    return switch (scope) {
      case INTRA -> applications(session, arguments, holdsOne).stream()
          .map(ApplicationAnalysis::new).toList();
      case INTER -> applications(session, arguments, holdsOne).stream()
          .map(application -> ApplicationAnalysis.inter(application, all)).toList();
      case GLOBAL -> List.of(ApplicationAnalysis.global(all));
    };
  }

  /** What never ran at the same time cannot have had to do with each other. */
  private static void checkOverlap(List<Trace> traces) throws CommandFailure {
    for (Trace trace : traces) {
      if (traces.size() > 1 && traces.stream().noneMatch(other -> other != trace
          && other.epochNs() < trace.epochNs() + trace.durationNs()
          && trace.epochNs() < other.epochNs() + other.durationNs())) {
        throw new CommandFailure("the clocks of the traces do not overlap: nothing else ran while "
            + trace + " was recorded, at " + Instant.ofEpochSecond(0, trace.epochNs())
            + "; look at each with --scope intra");
      }
    }
  }

  private static List<Application> applications(Session session, Arguments arguments,
      String holdsOne) throws CommandFailure {
    List<Application> all = new ArrayList<>(session.getApplications());
    List<String> names = all.stream().map(Application::getName).toList();
    if (arguments.has("--app")) {
      String wanted = arguments.get("--app", "");
      all.removeIf(application -> !application.getName().equals(wanted));
      if (all.isEmpty()) {
        throw new CommandFailure("there is no application \"" + wanted + "\""
            + NearNames.hint(wanted, names));
      }
    } else if (all.size() > 1 && !holdsOne.isEmpty()) {
      throw new CommandFailure("there are " + all.size() + " applications, and " + holdsOne
          + "; choose with --app: "
          + String.join(", ", names) + "; or see all together with --scope global");
    }
    return all;
  }
}
