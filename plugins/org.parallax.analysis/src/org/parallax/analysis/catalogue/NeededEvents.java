package org.parallax.analysis.catalogue;

import static java.util.stream.Collectors.joining;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.trace.Trace;

/** What cannot be told of a profile, which has sums by thread and call path and no events. */
public final class NeededEvents {
  private NeededEvents() {}

  /**
   * Called before a report is made.
   *
   * @throws ReportException when the report needs events, and one of the traces is a profile
   */
  public static void check(ReportKind kind, List<ApplicationAnalysis> analyses) throws ReportException {
    Optional<Trace> profile = kind.takesProfiles() ? Optional.empty() : profile(analyses);
    if (profile.isPresent()) {
      throw new ReportException(profile.get() + " has no events, only the sums of a profile: the report " + kind.id()
          + " cannot be made; reports of profiles are "
          + Arrays.stream(StandardReport.values()).filter(ReportKind::takesProfiles).map(ReportKind::id).collect(joining(", ")));
    }
  }

  /** @return the first trace that is a profile */
  public static Optional<Trace> profile(List<ApplicationAnalysis> analyses) {
    return analyses.stream().flatMap(each -> each.workload().traces().stream()).filter(Trace::isProfile).findFirst();
  }
}
