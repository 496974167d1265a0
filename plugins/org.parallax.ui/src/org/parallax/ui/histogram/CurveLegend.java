package org.parallax.ui.histogram;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.eclipse.swt.SWT;
import org.eclipse.swt.accessibility.AccessibleAdapter;
import org.eclipse.swt.accessibility.AccessibleEvent;
import org.eclipse.swt.graphics.Color;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableColumn;
import org.eclipse.swt.widgets.TableItem;
import org.parallax.analysis.metrics.HistogramCurves;
import org.parallax.analysis.metrics.HistogramCurves.Curve;
import org.parallax.ui.charts.ChartTheme;
import org.parallax.ui.charts.HistogramDrawing;
import org.parallax.ui.table.ResultTable;

/** The names and colours of curves: a click on one hides it or shows it again. */
final class CurveLegend {
  /** More lines than that in one chart are no longer told apart. */
  private static final int MOST = 16;
  private static final int SWATCH_WIDTH = 18;
  private static final int SWATCH_HEIGHT = 12;

  private final Table table;
  private final Runnable changed;
  private final List<Image> swatches = new ArrayList<>();
  private List<String> names = List.of();
  private Set<String> hidden = new HashSet<>();
  private boolean limited;

  /** @param changed told when other curves are shown */
  CurveLegend(Composite parent, Runnable changed) {
    this.changed = changed;
    table = new Table(parent, SWT.CHECK | SWT.SINGLE | SWT.V_SCROLL | SWT.FULL_SELECTION);
    ResultTable.style(table);
    TableColumn column = new TableColumn(table, SWT.LEFT);
    table.addListener(SWT.Resize, event -> column.setWidth(table.getClientArea().width));
    table.addListener(SWT.Selection, this::clicked);
    table.addListener(SWT.Dispose, event -> swatches.forEach(Image::dispose));
    table.getAccessible().addAccessibleListener(new AccessibleAdapter() {
      @Override
      public void getName(AccessibleEvent event) {
        event.result = Messages.legend;
      }
    });
    table.setToolTipText(Messages.legendTip);
  }

  /** A click on the name is as good as one on the box. */
  private void clicked(Event event) {
    TableItem item = (TableItem) event.item;
    if (event.detail != SWT.CHECK) {
      item.setChecked(!item.getChecked());
    }
    if (item.getChecked()) {
      hidden.remove(item.getText());
    } else {
      hidden.add(item.getText());
    }
    limited = false;
    changed.run();
  }

  void show(HistogramCurves curves, ChartTheme theme) {
    List<String> now = curves.curves().stream().map(Curve::name).toList();
    if (!now.equals(names)) {
      names = now;
      limited = now.size() > MOST;
      hidden = limited ? new HashSet<>(ofLittle(curves)) : new HashSet<>();
    }
    table.setRedraw(false);
    table.removeAll();
    swatches.forEach(Image::dispose);
    swatches.clear();
    for (int i = 0; i < now.size(); i++) {
      TableItem item = new TableItem(table, SWT.NONE);
      item.setText(now.get(i));
      item.setChecked(!hidden.contains(now.get(i)));
      item.setImage(swatch(HistogramDrawing.color(curves, i, theme),
          curves.curves().get(i).isOther()));
    }
    table.setRedraw(true);
  }

  /** Those that have less than others of what is drawn. */
  private static List<String> ofLittle(HistogramCurves curves) {
    return curves.curves().stream().sorted(Comparator.comparingDouble(
        (Curve curve) -> -IntStream.range(0, curve.values().length)
            .mapToDouble(i -> curve.values()[i]).filter(Double::isFinite).sum()))
        .skip(MOST).map(Curve::name).toList();
  }

  private Image swatch(java.awt.Color color, boolean dashed) {
    Image image = new Image(table.getDisplay(), SWATCH_WIDTH, SWATCH_HEIGHT);
    GC gc = new GC(image);
    gc.setBackground(table.getBackground());
    gc.fillRectangle(new Rectangle(0, 0, SWATCH_WIDTH, SWATCH_HEIGHT));
    Color foreground = new Color(color.getRed(), color.getGreen(), color.getBlue());
    gc.setForeground(foreground);
    gc.setLineWidth(3);
    if (dashed) {
      gc.setLineStyle(SWT.LINE_DASH);
    }
    gc.drawLine(1, SWATCH_HEIGHT / 2, SWATCH_WIDTH - 1, SWATCH_HEIGHT / 2);
    gc.dispose();
    swatches.add(image);
    return image;
  }

  /** The indices of the curves that are shown. */
  Set<Integer> shown() {
    return IntStream.range(0, names.size()).filter(i -> !hidden.contains(names.get(i))).boxed()
        .collect(Collectors.toSet());
  }

  /** Whether only the largest curves are shown because there are so many. */
  boolean isLimited() {
    return limited;
  }

  Table table() {
    return table;
  }
}
