package org.parallax.ui.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.eclipse.jface.dialogs.InputDialog;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.viewers.ArrayContentProvider;
import org.eclipse.jface.viewers.CellEditor;
import org.eclipse.jface.viewers.ColumnLabelProvider;
import org.eclipse.jface.viewers.ColumnViewerToolTipSupport;
import org.eclipse.jface.viewers.ComboBoxViewerCellEditor;
import org.eclipse.jface.viewers.EditingSupport;
import org.eclipse.jface.viewers.IStructuredSelection;
import org.eclipse.jface.viewers.StructuredSelection;
import org.eclipse.jface.viewers.TableViewer;
import org.eclipse.jface.viewers.TableViewerColumn;
import org.eclipse.jface.viewers.TextCellEditor;
import org.eclipse.jface.window.Window;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Table;
import org.eclipse.ui.ISharedImages;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.forms.widgets.FormToolkit;
import org.parallax.experiment.run.ExperimentException;
import org.parallax.experiment.run.Factors;
import org.parallax.model.Experiment;
import org.parallax.model.Factor;
import org.parallax.model.Treatment;

/** The table of factors; each cell is edited in place. */
final class FactorsSection extends FormPart {
  private static final int LEAST_HEIGHT = 120;
  private static final String LOCK = "lock:";

  /** Reads and writes a cell. */
  private interface Cell {
    String get(Factor factor);

    void set(Factor factor, String text) throws ExperimentException;
  }

  private final TableViewer viewer;
  private final Button remove;
  private final Button up;
  private final Button down;
  private ExperimentCheck check;

  FactorsSection(ExperimentEditor editor, FormToolkit toolkit, Composite parent) {
    super(editor, toolkit, parent, Messages.factorsTitle, Messages.factorsDescription, 2);
    Table table = toolkit.createTable(client, SWT.FULL_SELECTION | SWT.MULTI | SWT.V_SCROLL);
    table.setHeaderVisible(true);
    GridDataFactory.fillDefaults().grab(true, true).hint(400, LEAST_HEIGHT).applyTo(table);
    viewer = new TableViewer(table);
    viewer.setContentProvider(ArrayContentProvider.getInstance());
    ColumnViewerToolTipSupport.enableFor(viewer);
    column(Messages.factorName, 120, cell(Factor::getName, this::rename), List.of());
    column(Messages.place, 200, cell(Factor::getPlace, this::move), List.of());
    column(Messages.treatment, 110, cell(FactorsSection::treatment, (factor, text) ->
        treat(factor, text)), treatments());
    column(Messages.levels, 130, cell(Factor::getSettings, (factor, text) ->
        treat(factor, treatment(factor) + " " + text)), List.of());
    foundColumn();
    Composite buttons = toolkit.createComposite(client);
    GridLayoutFactory.fillDefaults().applyTo(buttons);
    GridDataFactory.fillDefaults().applyTo(buttons);
    wide(button(buttons, Messages.add, this::askAndAdd));
    remove = wide(button(buttons, Messages.remove, this::remove));
    up = wide(button(buttons, Messages.up, () -> shift(-1)));
    down = wide(button(buttons, Messages.down, () -> shift(1)));
    viewer.addSelectionChangedListener(event -> updateButtons());
    table.addListener(SWT.KeyDown, event -> {
      if (event.keyCode == SWT.DEL && remove.isEnabled()) {
        remove();
      }
    });
    updateButtons();
  }

  private static Button wide(Button button) {
    GridDataFactory.fillDefaults().grab(true, false).applyTo(button);
    return button;
  }

  private interface Getter {
    String get(Factor factor);
  }

  private interface Setter {
    void set(Factor factor, String text) throws ExperimentException;
  }

  private static Cell cell(Getter getter, Setter setter) {
    return new Cell() {
      @Override
      public String get(Factor factor) {
        return getter.get(factor);
      }

      @Override
      public void set(Factor factor, String text) throws ExperimentException {
        setter.set(factor, text);
      }
    };
  }

  private static List<String> treatments() {
    List<String> names = new ArrayList<>();
    for (Treatment treatment : Treatment.values()) {
      names.add(treatment == Treatment.LOCK ? LOCK
          : treatment.getName().toLowerCase(Locale.ROOT));
    }
    return names;
  }

  private static String treatment(Factor factor) {
    String name = factor.getTreatment().getName().toLowerCase(Locale.ROOT);
    return factor.getArgument() == null ? name : name + ":" + factor.getArgument();
  }

  private void rename(Factor factor, String text) throws ExperimentException {
    List<Factor> others = new ArrayList<>(editor.experiment().getFactors());
    others.remove(factor);
    factor.setName(Factors.make(text.strip() + "=" + factor.getPlace(), others).getName());
  }

  private void move(Factor factor, String text) throws ExperimentException {
    factor.setPlace(Factors.make("x=" + text.strip(), List.of()).getPlace());
  }

  /** With other treatments the old levels stay if they can be levels of it. */
  private static void treat(Factor factor, String text) throws ExperimentException {
    boolean levels = text.strip().contains(" ");
    try {
      Factors.treat(factor, levels ? text : text + " " + factor.getSettings(), 0);
    } catch (ExperimentException e) {
      if (levels) {
        throw e;
      }
      Factors.treat(factor, text, 0);
    }
  }

  private void column(String heading, int width, Cell cell, List<String> choices) {
    TableViewerColumn column = new TableViewerColumn(viewer, SWT.LEFT);
    column.getColumn().setText(heading);
    column.getColumn().setWidth(width);
    column.setLabelProvider(new ColumnLabelProvider() {
      @Override
      public String getText(Object element) {
        return cell.get((Factor) element);
      }
    });
    column.setEditingSupport(new CellEditing(cell, choices));
  }

  private void foundColumn() {
    TableViewerColumn column = new TableViewerColumn(viewer, SWT.LEFT);
    column.getColumn().setText(Messages.found);
    column.getColumn().setWidth(320);
    column.setLabelProvider(new ColumnLabelProvider() {
      @Override
      public String getText(Object element) {
        String problem = problem((Factor) element);
        return problem.isEmpty() ? found((Factor) element) : problem;
      }

      @Override
      public String getToolTipText(Object element) {
        String text = getText(element);
        return text.isEmpty() ? null : text;
      }

      @Override
      public Image getImage(Object element) {
        return problem((Factor) element).isEmpty() ? null : PlatformUI.getWorkbench()
            .getSharedImages().getImage(ISharedImages.IMG_OBJS_ERROR_TSK);
      }
    });
  }

  private int index(Factor factor) {
    return editor.experiment().getFactors().indexOf(factor);
  }

  private String problem(Factor factor) {
    int index = index(factor);
    return check == null || index < 0 || index >= check.problems().size() ? ""
        : check.problems().get(index);
  }

  private String found(Factor factor) {
    int index = index(factor);
    return check == null || index < 0 || index >= check.found().size() ? ""
        : check.found().get(index);
  }

  private void askAndAdd() {
    InputDialog dialog = new InputDialog(client.getShell(), Messages.addTitle, Messages.addMessage,
        "", text -> text.isBlank() ? "" : null);
    if (dialog.open() == Window.OK) {
      editor.addFactor(dialog.getValue().strip());
    }
  }

  private List<Factor> selected() {
    List<Factor> factors = new ArrayList<>();
    for (Object each : (IStructuredSelection) viewer.getSelection()) {
      factors.add((Factor) each);
    }
    return factors;
  }

  private void remove() {
    List<Factor> removed = selected();
    if (editor.change(null, false, experiment -> experiment.getFactors().removeAll(removed))) {
      refresh();
    }
  }

  private void shift(int by) {
    Factor factor = selected().get(0);
    if (editor.change(null, false,
        experiment -> experiment.getFactors().move(index(factor) + by, factor))) {
      refresh();
    }
  }

  private void refresh() {
    check = null;
    viewer.refresh();
    updateButtons();
  }

  private void updateButtons() {
    List<Factor> selected = selected();
    boolean editable = viewer.getTable().isEnabled();
    remove.setEnabled(editable && !selected.isEmpty());
    int index = selected.size() == 1 ? index(selected.get(0)) : -1;
    up.setEnabled(editable && index > 0);
    down.setEnabled(
        editable && index >= 0 && index + 1 < editor.experiment().getFactors().size());
  }

  @Override
  void fill(Experiment experiment) {
    check = null;
    viewer.setInput(experiment.getFactors());
    updateButtons();
  }

  void show(ExperimentCheck result) {
    check = result;
    viewer.refresh();
  }

  void reveal(Factor factor) {
    viewer.setSelection(new StructuredSelection(factor), true);
  }

  @Override
  void setEnabled(boolean enabled) {
    if (viewer.getTable().isEnabled() != enabled) {
      super.setEnabled(enabled);
    }
    updateButtons();
  }

  TableViewer viewer() {
    return viewer;
  }

  /** Edits a cell as text; what cannot be is refused and told. */
  private final class CellEditing extends EditingSupport {
    private final Cell cell;
    private final CellEditor cellEditor;
    private final boolean choices;

    CellEditing(Cell cell, List<String> values) {
      super(FactorsSection.this.viewer);
      this.cell = cell;
      choices = !values.isEmpty();
      if (choices) {
        ComboBoxViewerCellEditor combo =
            new ComboBoxViewerCellEditor(FactorsSection.this.viewer.getTable());
        combo.setContentProvider(ArrayContentProvider.getInstance());
        combo.setInput(values);
        cellEditor = combo;
      } else {
        cellEditor = new TextCellEditor(FactorsSection.this.viewer.getTable());
      }
    }

    @Override
    protected CellEditor getCellEditor(Object element) {
      return cellEditor;
    }

    @Override
    protected boolean canEdit(Object element) {
      return true;
    }

    @Override
    protected Object getValue(Object element) {
      return cell.get((Factor) element);
    }

    @Override
    protected void setValue(Object element, Object value) {
      String text = value == null && cellEditor instanceof ComboBoxViewerCellEditor combo
          ? combo.getViewer().getCCombo().getText() : String.valueOf(value);
      Factor factor = (Factor) element;
      if (text.equals(cell.get(factor))) {
        return;
      }
      if (editor.change(null, false, experiment -> cell.set(factor, text))) {
        FactorsSection.this.refresh();
      }
    }
  }
}
