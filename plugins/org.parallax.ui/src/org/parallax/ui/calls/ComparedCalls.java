package org.parallax.ui.calls;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.eclipse.osgi.util.NLS;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Phase;
import org.parallax.analysis.calls.CallTree;
import org.parallax.analysis.calls.CallTreeDifference;
import org.parallax.analysis.calls.FlameSubject;
import org.parallax.analysis.compare.OtherRun;
import org.parallax.analysis.compare.ProcedureMatching;
import org.parallax.analysis.replay.Weight;
import org.parallax.model.program.Application;
import org.parallax.model.program.ProgramTree;
import org.parallax.trace.Progress;
import org.parallax.ui.charts.TimeLabel;
import org.parallax.ui.platform.Texts;
import org.parallax.ui.session.Selection;
import org.parallax.ui.views.RunChoice;

/**
 * The call paths of a selection, or of its critical path or waits, and by how much they differ from
 * those of another run.
 *
 * @param difference null without another run
 * @param other its name, for people
 */
record ComparedCalls(FlameSubject subject, CallTree tree, CallTreeDifference difference,
    Weight weight, String other, List<String> warnings) {

  /** @param with of the other run in all of its time; null for none */
  static ComparedCalls of(ApplicationAnalysis analysis, FlameSubject subject, Selection selection,
      ApplicationAnalysis with, Weight weight, boolean normalized, Progress progress) {
    CallTree tree = CallTree.of(analysis, subject, weight, selection.scope(), progress);
    List<String> warnings = new ArrayList<>();
    add(analysis.traceWarnings(), warnings);
    if (tree.root().callees().isEmpty()) {
      warnings.add(NLS.bind(subject == FlameSubject.WAITS ? Messages.noWaits : Messages.noCalls,
          selection.scope().path()));
    }
    if (with == null) {
      return new ComparedCalls(subject, tree, null, weight, "", warnings);
    }
    Application base = with.application();
    Phase phase = OtherRun.phase(analysis, selection.phase(), with);
    CallTree baseTree = CallTree.of(phase == null ? with : with.during(phase), subject, weight,
        OtherRun.node(selection.scope(), ProgramTree.logical(base)), progress);
    ProcedureMatching procedures =
        new ProcedureMatching(List.of(base), List.of(analysis.application()));
    CallTreeDifference difference =
        new CallTreeDifference(tree, baseTree, procedures, weight, normalized);
    add(with.traceWarnings(), warnings);
    if (procedures.isNone()) {
      warnings.add(NLS.bind(Messages.nothingInCommon, RunChoice.name(base)));
    } else if (difference.goneNs() >= 1) {
      warnings.add(NLS.bind(Messages.goneTime, RunChoice.name(base),
          TimeLabel.of(Math.round(difference.goneNs()))));
    }
    return new ComparedCalls(subject, tree, difference, weight, RunChoice.name(base), warnings);
  }

  private static void add(Set<String> told, List<String> warnings) {
    told.forEach(warning -> warnings.add(Texts.sentence(warning)));
  }
}
