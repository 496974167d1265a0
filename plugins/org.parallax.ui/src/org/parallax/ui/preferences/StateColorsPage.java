package org.parallax.ui.preferences;

import java.awt.Color;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.preference.ColorSelector;
import org.eclipse.jface.preference.PreferencePage;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.accessibility.AccessibleAdapter;
import org.eclipse.swt.accessibility.AccessibleEvent;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.graphics.RGB;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Group;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableItem;
import org.eclipse.swt.widgets.Text;
import org.eclipse.ui.IWorkbench;
import org.eclipse.ui.IWorkbenchPreferencePage;

/** Where a person chooses the colours of states: a hue for each group, and a colour for single names. */
public final class StateColorsPage extends PreferencePage implements IWorkbenchPreferencePage {
  private static final int SWATCH = 14;
  private static final int ROWS = 8;

  private final Map<StateGroup, ColorSelector> groups = new EnumMap<>(StateGroup.class);
  private StateColorChoices chosen = StateColorChoices.load();
  private Text name;
  private ColorSelector color;
  private Table names;
  private Button set;
  private Button remove;

  @Override
  public void init(IWorkbench workbench) {
    setPreferenceStore(Preferences.store());
    setDescription(Messages.colorsDescription);
  }

  @Override
  protected Control createContents(Composite parent) {
    Composite page = new Composite(parent, SWT.NONE);
    GridLayoutFactory.fillDefaults().applyTo(page);
    Group hues = group(page, Messages.colorsGroups, 2);
    for (StateGroup group : StateGroup.values()) {
      new Label(hues, SWT.NONE).setText(group.label());
      ColorSelector selector = selector(hues, group.label());
      selector.addListener(event ->
          chosen = chosen.with(group, awt(selector.getColorValue())));
      groups.put(group, selector);
    }
    createNames(group(page, Messages.colorsNames, 4));
    show();
    return page;
  }

  private static Group group(Composite parent, String title, int columns) {
    Group group = new Group(parent, SWT.NONE);
    group.setText(title);
    GridLayoutFactory.swtDefaults().numColumns(columns).applyTo(group);
    GridDataFactory.fillDefaults().grab(true, false).applyTo(group);
    return group;
  }

  private void createNames(Group group) {
    new Label(group, SWT.NONE).setText(Messages.colorName);
    name = new Text(group, SWT.BORDER | SWT.SINGLE);
    name.setToolTipText(Messages.colorNameTip);
    GridDataFactory.fillDefaults().grab(true, false).applyTo(name);
    name.addListener(SWT.Modify, event -> enable());
    color = selector(group, Messages.colorsNames);
    color.setColorValue(new RGB(240, 140, 0));
    set = button(group, Messages.colorAdd, () -> {
      chosen = chosen.with(name.getText().strip(), awt(color.getColorValue()));
      show();
    });
    set.setToolTipText(Messages.colorAddTip);
    names = new Table(group, SWT.BORDER | SWT.SINGLE | SWT.FULL_SELECTION);
    GridDataFactory.fillDefaults().span(3, 1).grab(true, true)
        .hint(SWT.DEFAULT, ROWS * names.getItemHeight()).applyTo(names);
    names.addListener(SWT.Selection, event -> {
      String selected = names.getSelection()[0].getText();
      name.setText(selected);
      color.setColorValue(rgb(chosen.names().get(selected)));
    });
    names.addListener(SWT.Dispose, event -> disposeSwatches());
    remove = button(group, Messages.colorRemove, () -> {
      chosen = chosen.with(name.getText().strip(), null);
      show();
    });
  }

  private static Button button(Composite parent, String text, Runnable action) {
    Button button = new Button(parent, SWT.PUSH);
    button.setText(text);
    GridDataFactory.fillDefaults().align(SWT.FILL, SWT.BEGINNING).applyTo(button);
    button.addListener(SWT.Selection, event -> action.run());
    return button;
  }

  private static ColorSelector selector(Composite parent, String of) {
    ColorSelector selector = new ColorSelector(parent);
    selector.getButton().getAccessible().addAccessibleListener(new AccessibleAdapter() {
      @Override
      public void getName(AccessibleEvent event) {
        event.result = NLS.bind(Messages.colorOf, of);
      }
    });
    return selector;
  }

  private void show() {
    groups.forEach((group, selector) -> selector.setColorValue(rgb(chosen.of(group))));
    disposeSwatches();
    names.removeAll();
    new TreeMap<>(chosen.names()).forEach((each, of) -> {
      TableItem item = new TableItem(names, SWT.NONE);
      item.setText(each);
      item.setImage(swatch(of));
    });
    enable();
  }

  private Image swatch(Color of) {
    Image image = new Image(names.getDisplay(), SWATCH, SWATCH);
    GC gc = new GC(image);
    org.eclipse.swt.graphics.Color paint = new org.eclipse.swt.graphics.Color(rgb(of));
    gc.setBackground(paint);
    gc.fillRectangle(0, 0, SWATCH, SWATCH);
    gc.dispose();
    return image;
  }

  private void disposeSwatches() {
    for (TableItem item : names.getItems()) {
      if (item.getImage() != null) {
        item.getImage().dispose();
      }
    }
  }

  private void enable() {
    set.setEnabled(!name.getText().isBlank());
    remove.setEnabled(chosen.names().containsKey(name.getText().strip()));
  }

  private static Color awt(RGB rgb) {
    return new Color(rgb.red, rgb.green, rgb.blue);
  }

  private static RGB rgb(Color color) {
    return new RGB(color.getRed(), color.getGreen(), color.getBlue());
  }

  @Override
  protected void performDefaults() {
    chosen = new StateColorChoices(Map.of(), Map.of());
    show();
    super.performDefaults();
  }

  @Override
  public boolean performOk() {
    chosen.save();
    return true;
  }
}
