package org.parallax.cli.report;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.ApplicationAnalysis.PathScope;
import org.parallax.analysis.Overlap;
import org.parallax.analysis.catalogue.NeededEvents;
import org.parallax.analysis.catalogue.Parameter;
import org.parallax.analysis.catalogue.ReportKind;
import org.parallax.analysis.catalogue.WrongParameterException;
import org.parallax.analysis.text.NearNames;
import org.parallax.cli.command.Arguments;
import org.parallax.cli.command.CommandFailure;
import org.parallax.cli.command.Option;
import org.parallax.cli.command.UsageException;
import org.parallax.model.RunMode;
import org.parallax.model.program.Application;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.ProgramTree;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;

/**
 * What a command line names of a session: applications, a part of their time, a part of their tree.
 *
 * @param node null for all of the applications
 */
public record ChosenPart(ApplicationAnalysis analysis, TreeNode node) {
  /** So many applications are named. */
  private static final int NAMED = 5;
  /** The options that choose a part. */
  public static final List<Option> OPTIONS = List.of(
        Option.of("--app", "NAME", "only this application (all, as text)"),
        Option.choice("--scope", "SCOPE", List.of("intra", "inter", "global"), "alone, with "
            + "others' work, or all together (intra)"),
        ReportOptions.option(Parameter.PHASE), ReportOptions.option(Parameter.NODE));

  /**
   * What the options say: each application by itself, or all together.
   *
   * @param kind for which it is; null for what is neither about paths nor over time
   * @param holdsOne why there must be one, for a person; empty when there can be several
   */
  public static List<ChosenPart> of(LoadedSession session, Arguments arguments, ReportKind kind, String holdsOne,
      Progress progress) throws UsageException, CommandFailure, WrongParameterException {
    List<ChosenPart> selected = new ArrayList<>();
    NodePath.Missing missing = null;
    for (ApplicationAnalysis whole : analyses(session, arguments, kind, holdsOne)) {
      try {
        ChosenPart part = of(session, whole, arguments, progress);
        if (kind != null) {
          ReportOptions.catalogue().check(kind, part.node);
        }
        selected.add(part);
      } catch (NodePath.Missing e) {
        // Not all applications need to run on a machine, or to have a process of a name.
        missing = missing == null ? e : missing;
      }
    }
    if (selected.isEmpty() && missing != null) {
      throw missing;
    }
    return selected;
  }

  /** The part of some applications that the options say. */
  static ChosenPart of(LoadedSession session, ApplicationAnalysis whole, Arguments arguments,
      Progress progress) throws UsageException, CommandFailure {
    TreeNode node = arguments.has("--node") ? NodePath.find(
        whole.applications().size() == 1 ? ProgramTree.logical(whole.application())
            : ProgramTree.physical(session), arguments.get("--node", "")) : null;
    Optional<Trace> profile = arguments.has("--phase") ? NeededEvents.profile(List.of(whole)) : Optional.empty();
    if (profile.isPresent()) {
      throw new CommandFailure(profile.get() + " has no events, only the sums of a profile: leave out --phase");
    }
    ApplicationAnalysis analysis = arguments.has("--phase")
        ? whole.during(PhaseArgument.of(arguments.get("--phase", ""), whole, node, progress))
        : whole;
    return new ChosenPart(analysis, node);
  }

  private static List<ApplicationAnalysis> analyses(LoadedSession session, Arguments arguments,
      ReportKind kind, String holdsOne) throws CommandFailure, UsageException {
    PathScope scope = PathScope.valueOf(arguments.get("--scope", "intra").toUpperCase(Locale.ROOT));
    if (scope == PathScope.INTER && (kind == null || kind.subject() != ReportKind.Subject.PATHS)) {
      throw new UsageException("--scope inter is only for path reports: " + String.join(", ",
          ReportOptions.catalogue().all().stream().filter(each -> each.subject() == ReportKind.Subject.PATHS)
              .map(ReportKind::id).toList()) + "; use --scope global for other reports");
    }
    List<Application> all = session.getApplications().stream()
        .filter(application -> application.getMode() != RunMode.COMPARISON).toList();
    if (kind != null && kind.subject() == ReportKind.Subject.TIME && scope == PathScope.INTRA) {
      return List.of(ApplicationAnalysis.beside(
          arguments.has("--app") ? applications(session, arguments, holdsOne)
              : session.getApplications(),
          arguments.get("--align", "clock").equals("start") || session.isRepeated()));
    }
    if (arguments.has("--align")) {
      throw new UsageException("--align needs --scope intra: a run that is moved in time has no "
          + "interaction with others");
    }
    if (scope != PathScope.INTRA) {
      checkOverlap(all.stream().map(Application::getTrace).distinct().toList());
    }
    if (scope == PathScope.GLOBAL && arguments.has("--app")) {
      throw new UsageException("--scope global covers all applications; leave out --app");
    }
    if (scope != PathScope.INTRA && all.isEmpty()) {
      throw new CommandFailure("all runs are for comparison; add an active or replayed run to the "
          + "session");
    }
    // Phases mean the same time in all reports of runs that met.
    boolean met = Overlap.apart(all.stream().map(Application::getTrace).distinct().toList()).isEmpty();
    List<Application> base = met ? all : List.of();
    List<ApplicationAnalysis> analyses = new ArrayList<>();
    if (scope == PathScope.GLOBAL) {
      analyses.add(ApplicationAnalysis.global(all));
      return analyses;
    }
    for (Application application : applications(session, arguments, holdsOne)) {
      boolean compared = application.getMode() == RunMode.COMPARISON;
      if (scope == PathScope.INTRA) {
        analyses.add(compared ? new ApplicationAnalysis(application)
            : ApplicationAnalysis.within(application, base));
      } else if (!compared) {
        analyses.add(ApplicationAnalysis.inter(application, all));
      } else if (arguments.has("--app")) {
        throw new CommandFailure(application.getName() + " is a run for comparison: it did not run "
            + "together with the others");
      }
    }
    return analyses;
  }

  /**
   * @return a line that says how the applications of some parts, which ran at the same time, are joined;
   *     empty when there is one or they are joined
   */
  static String joining(List<ChosenPart> shown) {
    List<Application> applications = shown.stream()
        .filter(part -> part.analysis.pathScope() == PathScope.INTRA)
        .flatMap(part -> part.analysis.applications().stream()).distinct()
        .filter(application -> application.getMode() != RunMode.COMPARISON).toList();
    if (applications.size() < 2
        || Overlap.apart(applications.stream().map(Application::getTrace).distinct().toList()).isPresent()) {
      return "";
    }
    List<String> names = applications.stream().map(Application::getName).limit(NAMED).toList();
    return applications.size() + " applications, each by itself: " + String.join(", ", names)
        + (applications.size() > NAMED ? ", ..." : "") + "; --scope global joins them\n\n";
  }

  /** What never ran at the same time cannot have had to do with each other. */
  private static void checkOverlap(List<Trace> traces) throws CommandFailure {
    Optional<Trace> apart = Overlap.apart(traces);
    if (apart.isPresent()) {
      throw new CommandFailure("the clocks of the traces do not overlap: no other application ran "
          + "while "
          + apart.get() + " was recorded, at " + Instant.ofEpochSecond(0, apart.get().epochNs())
          + "; analyse each one with --scope intra");
    }
  }

  /** Those of the name; else the only one of the trace of the name. */
  private static List<Application> named(List<Application> all, String wanted) {
    List<Application> named =
        all.stream().filter(application -> application.getName().equals(wanted)).toList();
    List<Application> traced = all.stream().filter(application -> application.getTrace()
        .directory().endsWith(wanted)).toList();
    return named.isEmpty() && traced.size() == 1 ? traced : named;
  }

  private static List<Application> applications(LoadedSession session, Arguments arguments,
      String holdsOne) throws CommandFailure {
    List<Application> all = new ArrayList<>(session.getApplications());
    List<String> names = all.stream().map(Application::getName).toList();
    if (arguments.has("--app")) {
      String wanted = arguments.get("--app", "");
      List<Application> named = named(all, wanted);
      all.retainAll(named);
      if (all.isEmpty()) {
        throw new CommandFailure("there is no application \"" + wanted + "\""
            + NearNames.hint(wanted, names));
      }
    } else if (all.size() > 1 && !holdsOne.isEmpty()) {
      throw new CommandFailure("there are " + all.size() + " applications, and " + holdsOne
          + "; choose one with --app: "
          + String.join(", ", names) + "; or analyse all together with --scope global");
    }
    return all;
  }
}
