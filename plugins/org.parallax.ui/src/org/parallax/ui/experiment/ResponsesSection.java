package org.parallax.ui.experiment;

import java.util.List;
import java.util.function.ToIntFunction;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.viewers.ArrayContentProvider;
import org.eclipse.jface.viewers.CellEditor;
import org.eclipse.jface.viewers.ColumnLabelProvider;
import org.eclipse.jface.viewers.ComboBoxViewerCellEditor;
import org.eclipse.jface.viewers.EditingSupport;
import org.eclipse.jface.viewers.TableViewer;
import org.eclipse.jface.viewers.TableViewerColumn;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Spinner;
import org.eclipse.swt.widgets.Table;
import org.eclipse.ui.forms.widgets.FormToolkit;
import org.parallax.experiment.run.ExperimentException;
import org.parallax.experiment.run.ResponseText;
import org.parallax.model.Experiment;
import org.parallax.model.Response;

/** What is measured of each trial, and how trials are made. */
final class ResponsesSection extends FormPart {
  private final TableViewer viewer;
  private final Button remove;
  private final Spinner warmups;
  private final Spinner attempts;
  private final Spinner timeout;
  private final Spinner seed;
  private boolean filling;

  /** Puts a number into the experiment. */
  private interface Setter {
    void set(Experiment experiment, int value);
  }

  ResponsesSection(ExperimentEditor editor, FormToolkit toolkit, Composite parent) {
    super(editor, toolkit, parent, Messages.responsesTitle, "", 2);
    Table table = toolkit.createTable(client, SWT.FULL_SELECTION | SWT.V_SCROLL);
    table.setToolTipText(Messages.responsesTip);
    GridDataFactory.fillDefaults().grab(true, false).hint(200, 70).applyTo(table);
    viewer = new TableViewer(table);
    viewer.setContentProvider(ArrayContentProvider.getInstance());
    TableViewerColumn column = new TableViewerColumn(viewer, SWT.LEFT);
    column.getColumn().setWidth(260);
    column.setLabelProvider(new ColumnLabelProvider() {
      @Override
      public String getText(Object element) {
        return ResponseText.of((Response) element);
      }
    });
    column.setEditingSupport(new Editing());
    Composite buttons = toolkit.createComposite(client);
    GridLayoutFactory.fillDefaults().applyTo(buttons);
    GridDataFactory.fillDefaults().applyTo(buttons);
    GridDataFactory.fillDefaults().grab(true, false).applyTo(
        button(buttons, Messages.add, this::add));
    remove = button(buttons, Messages.remove, this::remove);
    GridDataFactory.fillDefaults().grab(true, false).applyTo(remove);
    viewer.addSelectionChangedListener(event -> remove.setEnabled(canRemove()));
    Composite numbers = toolkit.createComposite(client);
    GridLayoutFactory.fillDefaults().numColumns(4).applyTo(numbers);
    GridDataFactory.fillDefaults().span(2, 1).applyTo(numbers);
    warmups = number(numbers, Messages.warmups, Messages.warmupsTip, 0, 100, false,
        Experiment::setWarmups, Experiment::getWarmups);
    attempts = number(numbers, Messages.attempts, Messages.attemptsTip, 1, 100, true,
        Experiment::setAttempts, Experiment::getAttempts);
    timeout = number(numbers, Messages.timeout, Messages.timeoutTip, 0, 1_000_000, true,
        Experiment::setTimeoutSeconds, experiment -> (int) experiment.getTimeoutSeconds());
    seed = number(numbers, Messages.seed, Messages.seedTip, 0, Integer.MAX_VALUE, false,
        Experiment::setSeed, experiment -> (int) experiment.getSeed());
  }

  private Spinner number(Composite parent, String label, String tip, int least, int most,
      boolean keepsTrials, Setter setter, ToIntFunction<Experiment> getter) {
    toolkit.createLabel(parent, label);
    Spinner spinner = new Spinner(parent, SWT.BORDER);
    spinner.setValues(least, least, most, 0, 1, 10);
    spinner.setToolTipText(tip);
    spinner.setData(getter);
    toolkit.adapt(spinner, true, true);
    spinner.addListener(SWT.Selection, event -> {
      if (!filling && editor.experiment() != null
          && getter.applyAsInt(editor.experiment()) != spinner.getSelection()) {
        editor.change(spinner, keepsTrials,
            experiment -> setter.set(experiment, spinner.getSelection()));
      }
    });
    return spinner;
  }

  private boolean canRemove() {
    return viewer.getTable().isEnabled() && !viewer.getStructuredSelection().isEmpty()
        && viewer.getTable().getItemCount() > 1;
  }

  private void add() {
    List<Response> responses = editor.experiment().getResponses();
    for (String kind : ResponseText.KINDS) {
      if (!kind.endsWith(":")
          && responses.stream().noneMatch(response -> response.getName().equals(kind))) {
        if (editor.change(null, false,
            experiment -> experiment.getResponses().add(ResponseText.parse(kind)))) {
          refresh();
        }
        return;
      }
    }
    editor.refuse(Messages.responsesAll);
  }

  private void remove() {
    Object selected = viewer.getStructuredSelection().getFirstElement();
    editor.change(null, false, experiment -> experiment.getResponses().remove(selected));
    refresh();
  }

  private void refresh() {
    viewer.refresh();
    remove.setEnabled(canRemove());
  }

  @Override
  void fill(Experiment experiment) {
    filling = true;
    viewer.setInput(experiment.getResponses());
    warmups.setSelection(experiment.getWarmups());
    attempts.setSelection(experiment.getAttempts());
    timeout.setSelection((int) experiment.getTimeoutSeconds());
    seed.setSelection((int) experiment.getSeed());
    remove.setEnabled(canRemove());
    filling = false;
  }

  @Override
  void setEnabled(boolean enabled) {
    super.setEnabled(enabled);
    remove.setEnabled(enabled && canRemove());
  }

  TableViewer viewer() {
    return viewer;
  }

  /** The first response is the one that pilots judge. */
  private final class Editing extends EditingSupport {
    private final ComboBoxViewerCellEditor cell;

    Editing() {
      super(ResponsesSection.this.viewer);
      cell = new ComboBoxViewerCellEditor(ResponsesSection.this.viewer.getTable());
      cell.setContentProvider(ArrayContentProvider.getInstance());
      cell.setInput(ResponseText.KINDS);
    }

    @Override
    protected CellEditor getCellEditor(Object element) {
      return cell;
    }

    @Override
    protected boolean canEdit(Object element) {
      return true;
    }

    @Override
    protected Object getValue(Object element) {
      return ResponseText.of((Response) element);
    }

    @Override
    protected void setValue(Object element, Object value) {
      String text = value == null ? cell.getViewer().getCCombo().getText() : (String) value;
      if (text.equals(ResponseText.of((Response) element))) {
        return;
      }
      try {
        Response changed = ResponseText.parse(text);
        List<Response> responses = editor.experiment().getResponses();
        if (responses.stream().anyMatch(other -> other != element
            && other.getName().equals(changed.getName()))) {
          editor.refuse(org.eclipse.osgi.util.NLS.bind(Messages.responseThere, changed.getName()));
          return;
        }
        editor.change(null, false,
            experiment -> responses.set(responses.indexOf(element), changed));
        ResponsesSection.this.refresh();
      } catch (ExperimentException e) {
        editor.refuse(e.getMessage());
      }
    }
  }
}
