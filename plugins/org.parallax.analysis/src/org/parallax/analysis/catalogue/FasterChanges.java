package org.parallax.analysis.catalogue;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.reports.WhatIfReport;
import org.parallax.analysis.reports.WhatIfReport.Change;
import org.parallax.analysis.reports.WhatIfReport.Extent;
import org.parallax.analysis.text.NearNames;
import org.parallax.trace.Progress;

/** What {@code --faster NAME=TIMES} names: names can have {@code =} in them. */
final class FasterChanges {
  private static final int SUGGESTIONS = 10;

  private FasterChanges() {}

  /**
   * The changes that are asked for; without any, those worth a look.
   *
   * @param whole the analysis before the request folds its inlined functions
   * @throws WrongParameterException for one without a number above 0, and for two of the same
   * @throws ReportException for a name that nothing has, and for a procedure without time
   */
  static List<Change> of(ApplicationAnalysis whole, ReportRequest request, Progress progress)
      throws ReportException {
    ApplicationAnalysis analysis = request.of(whole);
    List<String> texts = texts(request);
    if (texts.isEmpty()) {
      return WhatIfReport.suggestions(
          analysis, request.weight(), 2, SUGGESTIONS, request.extent(), progress);
    }
    Set<String> names = WhatIfReport.names(analysis);
    List<Change> changes = new ArrayList<>();
    for (String text : texts) {
      int equals = text.lastIndexOf('=');
      String name = name(text);
      if (!names.contains(name)) {
        throw new ReportException("there is no \"" + name + "\" that can be made faster"
            + NearNames.hint(name, names));
      }
      if (changes.stream().anyMatch(other -> other.what().equals(name))) {
        throw new WrongParameterException("--faster names \"" + name
            + "\" twice; use a separate report for each value");
      }
      checkTime(whole, analysis, name, request.extent(), progress);
      changes.add(new Change(name, equals < 0 ? 2 : times(text.substring(equals + 1))));
    }
    return changes;
  }

  /** @return false for a procedure without time */
  private static boolean canBeFaster(ApplicationAnalysis analysis, String name, Extent extent,
      Progress progress) {
    boolean isProcedure = analysis.applications().stream()
        .anyMatch(application -> application.getProcedures().stream()
            .anyMatch(procedure -> procedure.getName().equals(name)));
    return !isProcedure || WhatIfReport.hasTime(analysis, name, extent, progress);
  }

  private static void checkTime(ApplicationAnalysis whole, ApplicationAnalysis analysis, String name,
      Extent extent, Progress progress) throws ReportException {
    if (canBeFaster(analysis, name, extent, progress)) {
      return;
    }
    if (analysis != whole && WhatIfReport.hasTime(whole, name, Extent.INCLUSIVE, progress)) {
      throw new ReportException("\"" + name + "\" was inlined: with --fold-inlined, its time is that "
          + "of the functions that contain its code; leave out --fold-inlined");
    }
    if (extent == Extent.EXCLUSIVE
        && WhatIfReport.hasTime(analysis, name, Extent.INCLUSIVE, progress)) {
      throw new ReportException("\"" + name + "\" has no time of its own: with --exclusive, the "
          + "time of its callees does not count; leave out --exclusive");
    }
    throw new ReportException("\"" + name + "\" has no sample, so its time is unknown; "
        + "record more samples (--sample-hz), or compile it with parallax-cc");
  }

  /**
   * The same changes for all of several runs: those that are worth a look in any of them, or of those
   * that are asked for those of which a run knows the name.
   */
  static List<ReportRequest> together(List<ApplicationAnalysis> analyses,
      List<ReportRequest> requests, Progress progress) {
    Set<String> all = new LinkedHashSet<>(texts(requests.get(0)));
    boolean suggested = all.isEmpty();
    if (suggested) {
      for (ApplicationAnalysis analysis : analyses) {
        WhatIfReport.suggestions(
            requests.get(0).of(analysis), requests.get(0).weight(), 2, SUGGESTIONS,
            requests.get(0).extent(), progress)
            .forEach(change -> all.add(change.what() + "=" + change.times()));
      }
    }
    List<ReportRequest> together = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      ReportRequest request = requests.get(i);
      ApplicationAnalysis analysis = request.of(analyses.get(i));
      Set<String> names = WhatIfReport.names(analysis);
      List<String> known = all.stream().filter(text -> names.contains(name(text))
          && (!suggested || canBeFaster(analysis, name(text), request.extent(), progress))).toList();
      together.add(request.with(Parameter.FASTER.name(),
          (known.isEmpty() ? all : known).toArray(String[]::new)));
    }
    return together;
  }

  private static List<String> texts(ReportRequest request) {
    return request.values().all(Parameter.FASTER.name());
  }

  private static String name(String text) {
    int equals = text.lastIndexOf('=');
    return equals < 0 ? text : text.substring(0, equals);
  }

  private static double times(String text) throws WrongParameterException {
    try {
      double times = Double.parseDouble(text);
      if (times > 0) {
        return times;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw new WrongParameterException("\"" + text + "\" is not a speed-up factor above 0");
  }
}
