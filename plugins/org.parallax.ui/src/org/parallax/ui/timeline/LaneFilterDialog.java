package org.parallax.ui.timeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.eclipse.jface.dialogs.IDialogConstants;
import org.eclipse.jface.dialogs.TitleAreaDialog;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Text;
import org.parallax.analysis.time.ThreadMetric;

/** Asks which threads have lanes. */
final class LaneFilterDialog extends TitleAreaDialog {
  private static final List<LaneFilter.Choice> CHOICES = List.of(LaneFilter.Choice.values());
  private static final int VISIBLE_ITEMS = 20;
  private static final double MOST = 1e9;

  private final List<LaneMetric> metrics = new ArrayList<>();
  private LaneFilter filter;
  private Text text;
  private Combo choice;
  private Combo metric;
  private Text number;

  /** @param procedure the name of the one that is selected, or null */
  LaneFilterDialog(Shell shell, LaneFilter now, String procedure) {
    super(shell);
    filter = now;
    if (procedure != null) {
      metrics.add(LaneMetric.timeIn(procedure));
    }
    if (now.metric() != null && now.metric().procedure() != null && !metrics.contains(now.metric())) {
      metrics.add(now.metric());
    }
    Arrays.stream(ThreadMetric.values()).map(LaneMetric::of).forEach(metrics::add);
  }

  /** What was chosen. */
  LaneFilter filter() {
    return filter;
  }

  @Override
  protected void configureShell(Shell shell) {
    super.configureShell(shell);
    shell.setText(Messages.laneFilterTitle);
  }

  @Override
  protected boolean isResizable() {
    return true;
  }

  @Override
  protected Control createDialogArea(Composite parent) {
    setTitle(Messages.laneFilterTitle);
    setMessage(Messages.laneFilterHint);
    Composite area = (Composite) super.createDialogArea(parent);
    Composite fields = new Composite(area, SWT.NONE);
    GridDataFactory.fillDefaults().grab(true, true).applyTo(fields);
    GridLayoutFactory.swtDefaults().numColumns(2).margins(10, 10).applyTo(fields);
    text = field(fields, Messages.laneFilterText, filter.text());
    label(fields, Messages.laneFilterMetric);
    metric = new Combo(fields, SWT.READ_ONLY);
    metric.setVisibleItemCount(VISIBLE_ITEMS);
    metric.setItems(metrics.stream().map(LaneMetric::label).toArray(String[]::new));
    metric.select(Math.max(0, metrics.indexOf(filter.metric())));
    GridDataFactory.fillDefaults().grab(true, false).applyTo(metric);
    label(fields, Messages.laneFilterChoice);
    choice = new Combo(fields, SWT.READ_ONLY);
    choice.setItems(CHOICES.stream().map(LaneFilterDialog::label).toArray(String[]::new));
    choice.select(CHOICES.indexOf(filter.choice()));
    GridDataFactory.fillDefaults().grab(true, false).applyTo(choice);
    number = field(fields, Messages.laneFilterNumber, filter.number() == 0 ? ""
        : filter.number() == Math.rint(filter.number()) ? Long.toString((long) filter.number())
            : Double.toString(filter.number()));
    choice.addListener(SWT.Selection, event -> check());
    number.addListener(SWT.Modify, event -> check());
    return area;
  }

  private static void label(Composite parent, String words) {
    new Label(parent, SWT.NONE).setText(words);
  }

  private static Text field(Composite parent, String words, String content) {
    label(parent, words);
    Text field = new Text(parent, SWT.BORDER);
    field.setText(content);
    GridDataFactory.fillDefaults().grab(true, false).applyTo(field);
    return field;
  }

  private static String label(LaneFilter.Choice choice) {
    return switch (choice) {
      case ALL -> Messages.laneChoiceAll;
      case HIGHEST -> Messages.laneChoiceHighest;
      case LOWEST -> Messages.laneChoiceLowest;
      case ABOVE -> Messages.laneChoiceAbove;
      case BELOW -> Messages.laneChoiceBelow;
      case OUTLIERS -> Messages.laneChoiceOutliers;
    };
  }

  @Override
  protected Control createContents(Composite parent) {
    Control contents = super.createContents(parent);
    check();
    return contents;
  }

  private LaneFilter.Choice chosen() {
    return CHOICES.get(choice.getSelectionIndex());
  }

  private boolean needsNumber() {
    return chosen() != LaneFilter.Choice.ALL && chosen() != LaneFilter.Choice.OUTLIERS;
  }

  private double written() {
    try {
      double value = Double.parseDouble(number.getText().strip());
      return value >= 0 && value <= MOST ? value : Double.NaN;
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  private void check() {
    metric.setEnabled(chosen() != LaneFilter.Choice.ALL);
    number.setEnabled(needsNumber());
    boolean isCount =
        chosen() == LaneFilter.Choice.HIGHEST || chosen() == LaneFilter.Choice.LOWEST;
    boolean isRight = !needsNumber()
        || (isCount ? written() >= 1 && written() == Math.rint(written()) : !Double.isNaN(written()));
    setErrorMessage(isRight || number.getText().isBlank() ? null
        : isCount ? Messages.laneFilterWrongCount : Messages.laneFilterWrongPercent);
    if (getButton(IDialogConstants.OK_ID) != null) {
      getButton(IDialogConstants.OK_ID).setEnabled(isRight);
    }
  }

  @Override
  protected void okPressed() {
    boolean byMetric = chosen() != LaneFilter.Choice.ALL;
    filter = new LaneFilter(text.getText().strip(), chosen(),
        byMetric ? metrics.get(metric.getSelectionIndex()) : null, needsNumber() ? written() : 0);
    super.okPressed();
  }
}
