package org.parallax.source;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.preference.PreferencePage;
import org.eclipse.jface.viewers.ArrayContentProvider;
import org.eclipse.jface.viewers.CellEditor;
import org.eclipse.jface.viewers.ColumnLabelProvider;
import org.eclipse.jface.viewers.ColumnWeightData;
import org.eclipse.jface.viewers.EditingSupport;
import org.eclipse.jface.viewers.TableLayout;
import org.eclipse.jface.viewers.TableViewer;
import org.eclipse.jface.viewers.TableViewerColumn;
import org.eclipse.jface.viewers.TextCellEditor;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Label;
import org.eclipse.ui.IWorkbench;
import org.eclipse.ui.IWorkbenchPreferencePage;
import org.eclipse.ui.editors.text.EditorsUI;
import org.eclipse.ui.texteditor.AbstractTextEditor;
import org.eclipse.ui.texteditor.rulers.RulerColumnDescriptor;
import org.eclipse.ui.texteditor.rulers.RulerColumnPreferenceAdapter;
import org.eclipse.ui.texteditor.rulers.RulerColumnRegistry;
import org.parallax.ui.source.PathMap;
import org.parallax.ui.source.PathMaps;

/** What editors show of the profile, and where source files are. */
public final class SourcePreferencePage extends PreferencePage
    implements IWorkbenchPreferencePage {
  /** Those that are a part of a whole. */
  private static final List<SourceNumber> HEATS = List.of(
      SourceNumber.EXCLUSIVE, SourceNumber.INCLUSIVE, SourceNumber.PATH, SourceNumber.WAIT);

  private static final int NUMBERS_IN_ROW = 4;

  /** A map while it is edited: the folder that was recorded, and where it is. */
  private static final class Row {
    final String[] folders;

    Row(String... folders) {
      this.folders = folders;
    }
  }

  private final RulerColumnPreferenceAdapter columns = new RulerColumnPreferenceAdapter(
      EditorsUI.getPreferenceStore(), AbstractTextEditor.PREFERENCE_RULER_CONTRIBUTIONS);
  private final Map<SourceNumber, Button> numbers = new EnumMap<>(SourceNumber.class);
  private final List<Row> rows = new ArrayList<>();
  private Button show;
  private Button hover;
  private Combo heat;
  private TableViewer maps;

  @Override
  public void init(IWorkbench workbench) {
    setPreferenceStore(SourcePreferences.store());
    setDescription(Messages.pageDescription);
  }

  private static RulerColumnDescriptor column() {
    return RulerColumnRegistry.getDefault().getColumnDescriptor(ProfileColumn.ID);
  }

  @Override
  protected Control createContents(Composite parent) {
    Composite page = new Composite(parent, SWT.NONE);
    GridLayoutFactory.fillDefaults().numColumns(2).applyTo(page);
    show = new Button(page, SWT.CHECK);
    show.setText(Messages.pageShow);
    show.setSelection(columns.isEnabled(column()));
    GridDataFactory.swtDefaults().span(2, 1).applyTo(show);
    hover = new Button(page, SWT.CHECK);
    hover.setText(Messages.pageHover);
    hover.setSelection(getPreferenceStore().getBoolean(LineHover.SHOWN));
    GridDataFactory.swtDefaults().span(2, 1).applyTo(hover);
    label(page, Messages.pageNumbers, 1);
    Composite chosen = new Composite(page, SWT.NONE);
    GridLayoutFactory.fillDefaults().numColumns(NUMBERS_IN_ROW).applyTo(chosen);
    for (SourceNumber number : SourceNumber.values()) {
      Button button = new Button(chosen, SWT.CHECK);
      button.setText(number.label());
      button.setSelection(SourceNumber.shown().contains(number));
      numbers.put(number, button);
    }
    label(page, Messages.pageHeat, 1);
    heat = new Combo(page, SWT.READ_ONLY);
    HEATS.forEach(number -> heat.add(number.label()));
    heat.select(HEATS.indexOf(SourceNumber.heat()));
    label(page, Messages.pageMaps, 2);
    createMaps(page);
    return page;
  }

  private static void label(Composite parent, String text, int span) {
    Label label = new Label(parent, SWT.WRAP);
    label.setText(text);
    GridDataFactory.swtDefaults().span(span, 1).applyTo(label);
  }

  private void createMaps(Composite parent) {
    Composite area = new Composite(parent, SWT.NONE);
    GridLayoutFactory.fillDefaults().numColumns(2).applyTo(area);
    GridDataFactory.fillDefaults().span(2, 1).grab(true, true).applyTo(area);
    maps = new TableViewer(area, SWT.BORDER | SWT.FULL_SELECTION | SWT.MULTI);
    maps.getTable().setHeaderVisible(true);
    maps.getTable().setLinesVisible(true);
    TableLayout layout = new TableLayout();
    maps.getTable().setLayout(layout);
    addColumn(layout, 0, Messages.pageFrom);
    addColumn(layout, 1, Messages.pageTo);
    maps.setContentProvider(ArrayContentProvider.getInstance());
    maps.setInput(rows);
    setMaps(PathMaps.all());
    GridDataFactory.fillDefaults().grab(true, true)
        .hint(convertWidthInCharsToPixels(60), convertHeightInCharsToPixels(8))
        .applyTo(maps.getTable());
    Composite buttons = new Composite(area, SWT.NONE);
    GridLayoutFactory.fillDefaults().applyTo(buttons);
    GridDataFactory.swtDefaults().align(SWT.FILL, SWT.BEGINNING).applyTo(buttons);
    button(buttons, Messages.pageAdd, () -> {
      rows.add(new Row("", ""));
      maps.refresh();
      maps.getTable().setFocus();
      maps.editElement(rows.get(rows.size() - 1), 0);
    });
    button(buttons, Messages.pageRemove, () -> {
      rows.removeAll(maps.getStructuredSelection().toList());
      maps.refresh();
    });
  }

  private void setMaps(List<PathMap> all) {
    rows.clear();
    all.forEach(map -> rows.add(new Row(map.from(), map.to())));
    maps.refresh();
  }

  private void button(Composite parent, String text, Runnable action) {
    Button button = new Button(parent, SWT.PUSH);
    button.setText(text);
    setButtonLayoutData(button);
    button.addListener(SWT.Selection, event -> action.run());
  }

  private void addColumn(TableLayout layout, int index, String heading) {
    TableViewerColumn column = new TableViewerColumn(maps, SWT.NONE);
    column.getColumn().setText(heading);
    layout.addColumnData(new ColumnWeightData(1));
    column.setLabelProvider(new ColumnLabelProvider() {
      @Override
      public String getText(Object element) {
        return ((Row) element).folders[index];
      }
    });
    column.setEditingSupport(new EditingSupport(maps) {
      @Override
      protected CellEditor getCellEditor(Object element) {
        return new TextCellEditor(maps.getTable());
      }

      @Override
      protected boolean canEdit(Object element) {
        return true;
      }

      @Override
      protected Object getValue(Object element) {
        return ((Row) element).folders[index];
      }

      @Override
      protected void setValue(Object element, Object value) {
        ((Row) element).folders[index] = String.valueOf(value);
        maps.refresh();
      }
    });
  }

  /** The table of folders; for tests. */
  TableViewer maps() {
    return maps;
  }

  @Override
  protected void performDefaults() {
    show.setSelection(true);
    hover.setSelection(getPreferenceStore().getDefaultBoolean(LineHover.SHOWN));
    List<String> shown = List.of(
        getPreferenceStore().getDefaultString(SourceNumber.SHOWN).split(","));
    numbers.forEach((number, button) -> button.setSelection(shown.contains(number.name())));
    heat.select(HEATS.indexOf(SourceNumber.EXCLUSIVE));
    setMaps(List.of());
    super.performDefaults();
  }

  @Override
  public boolean performOk() {
    SourceNumber.show(numbers.keySet().stream()
        .filter(number -> numbers.get(number).getSelection()).toList());
    getPreferenceStore().setValue(
        SourceNumber.HEAT, HEATS.get(heat.getSelectionIndex()).name());
    PathMaps.set(rows.stream().map(row -> new PathMap(row.folders[0], row.folders[1])).toList());
    columns.setEnabled(column(), show.getSelection());
    getPreferenceStore().setValue(LineHover.SHOWN, hover.getSelection());
    SourceNumbers.current().mapsChanged();
    return true;
  }
}
