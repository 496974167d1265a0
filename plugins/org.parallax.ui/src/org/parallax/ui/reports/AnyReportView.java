package org.parallax.ui.reports;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.swt.SWT;
import org.eclipse.swt.layout.RowLayout;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Text;
import org.parallax.analysis.Phase;
import org.parallax.analysis.catalogue.Parameter;
import org.parallax.analysis.catalogue.ParameterValues;
import org.parallax.analysis.catalogue.ReportKind;
import org.parallax.analysis.catalogue.StandardReport;
import org.parallax.analysis.events.EventsReport;
import org.parallax.ui.views.InstalledReports;
import org.parallax.ui.views.ReportView;
import org.parallax.ui.widgets.ViewHeader;

/**
 * Any report of the catalogue, also one that another plug-in has added, as a table with the choices that
 * the report declares.
 */
public final class AnyReportView extends ReportView {
  /** What the selection in the views says, and what needs several applications. */
  private static final List<Parameter> NOT_CHOSEN_HERE =
      List.of(Parameter.LEVEL, Parameter.NODE, Parameter.PHASE, Parameter.ALIGN);

  private ReportKind kind = StandardReport.WHAT_IF;
  private Combo kinds;
  private Composite choices;
  private final Map<Parameter, Control> controls = new LinkedHashMap<>();

  @Override
  protected ReportKind kind() {
    return kind;
  }

  @Override
  protected String subject() {
    return Messages.subjectReport;
  }

  @Override
  protected void createChoices(Composite parent) {
    List<ReportKind> all = InstalledReports.catalogue().all();
    kinds = Choices.combo(parent, Messages.reportKind, () -> {
      kind = all.get(kinds.getSelectionIndex());
      createParameters();
      refresh();
    }, all.stream().map(ReportKind::title).toArray(String[]::new));
    kinds.select(all.indexOf(kind));
    choices = new Composite(parent, SWT.NONE);
    RowLayout row = new RowLayout();
    row.center = true;
    row.wrap = false;
    row.marginLeft = row.marginTop = row.marginRight = row.marginBottom = 0;
    choices.setLayout(row);
    createParameters();
  }

  private void createParameters() {
    for (Control each : choices.getChildren()) {
      each.dispose();
    }
    controls.clear();
    kinds.setToolTipText(kind.summary());
    createLevelChoice(choices);
    for (Parameter parameter : kind.parameters()) {
      if (!NOT_CHOSEN_HERE.contains(parameter)) {
        Control control = create(parameter);
        control.setToolTipText(parameter.summary());
        controls.put(parameter, control);
      }
    }
    choices.requestLayout();
  }

  private Control create(Parameter parameter) {
    if (parameter.isFlag()) {
      Button flag = new Button(choices, SWT.CHECK);
      flag.setText(parameter.name());
      flag.addListener(SWT.Selection, event -> refresh());
      return flag;
    }
    String label = parameter.name() + ":";
    if (!parameter.allowed().isEmpty()) {
      Combo combo = Choices.combo(choices, label, this::refresh, Messages.reportDefault);
      parameter.allowed().forEach(combo::add);
      return combo;
    }
    Text text = new Text(ViewHeader.labelled(choices, label), SWT.BORDER);
    text.setMessage(parameter.value());
    text.addListener(SWT.DefaultSelection, event -> refresh());
    return text;
  }

  @Override
  protected ParameterValues values() {
    ParameterValues values = ParameterValues.NONE;
    for (Map.Entry<Parameter, Control> each : controls.entrySet()) {
      String name = each.getKey().name();
      if (each.getValue() instanceof Button flag && flag.getSelection()) {
        values = values.with(name);
      } else if (each.getValue() instanceof Combo combo && combo.getSelectionIndex() > 0) {
        values = values.with(name, combo.getText());
      } else if (each.getValue() instanceof Text text && !text.getText().isBlank()) {
        values = values.with(name, text.getText().strip());
      }
    }
    return values;
  }

  /** Events and phases are not in the trees. */
  @Override
  protected List<Object> selectedSubjects() {
    return super.selectedSubjects().stream().filter(subject ->
        !(subject instanceof EventsReport.Event) && !(subject instanceof Phase)).toList();
  }

  Combo kindChoice() {
    return kinds;
  }

  /** The control of a parameter, null for one that the report does not have. */
  Control choice(String parameter) {
    return controls.entrySet().stream().filter(each -> each.getKey().name().equals(parameter))
        .map(Map.Entry::getValue).findFirst().orElse(null);
  }
}
