package org.parallax.ui.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.layout.GridData;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.jfree.chart.JFreeChart;
import org.parallax.experiment.effects.Plots;
import org.parallax.ui.charts.ChartCanvas;
import org.parallax.ui.charts.ChartTheme;
import org.parallax.ui.charts.EffectCharts;
import org.parallax.ui.charts.ResponseCharts;

/** The plots of an experiment, one at a time. */
final class EffectsPlots extends Composite {
  /** A plot that can be chosen. */
  private record Plot(String name, Function<ChartTheme, JFreeChart> chart) {
  }

  private final Combo choice;
  private final Combo pair;
  private final ChartCanvas canvas;
  private EffectsResult result;
  private List<Plot> plots = List.of();

  EffectsPlots(Composite parent) {
    super(parent, SWT.NONE);
    GridLayoutFactory.fillDefaults().spacing(0, 0).applyTo(this);
    Composite choices = new Composite(this, SWT.NONE);
    GridLayoutFactory.swtDefaults().numColumns(3).margins(6, 3).applyTo(choices);
    GridDataFactory.fillDefaults().grab(true, false).applyTo(choices);
    new Label(choices, SWT.NONE).setText(Messages.plot);
    choice = new Combo(choices, SWT.READ_ONLY);
    choice.addListener(SWT.Selection, event -> draw());
    pair = new Combo(choices, SWT.READ_ONLY);
    GridDataFactory.fillDefaults().exclude(true).applyTo(pair);
    pair.setVisible(false);
    pair.addListener(SWT.Selection, event -> draw());
    canvas = new ChartCanvas(this, Experiments.shortFamily());
    GridDataFactory.fillDefaults().grab(true, true).applyTo(canvas);
  }

  void show(EffectsResult shown) {
    result = shown;
    String before = choice.getText();
    plots = plots(shown);
    choice.setItems(plots.stream().map(Plot::name).toArray(String[]::new));
    choice.select(Math.max(0, choice.indexOf(before)));
    List<String> names = shown.responses().factors();
    String pairBefore = pair.getText();
    pair.setItems(shown.interactions().stream().map(each ->
        names.get(each.first()) + " \u00d7 " + names.get(each.second())).toArray(String[]::new));
    pair.select(Math.max(0, pair.indexOf(pairBefore)));
    choice.getParent().layout();
    draw();
  }

  private List<Plot> plots(EffectsResult shown) {
    List<Plot> all = new ArrayList<>();
    if (shown.diagnosis() != null) {
      var effects = shown.diagnosis().effects();
      all.add(new Plot(Messages.plotPareto,
          theme -> EffectCharts.pareto(effects, shown.pareto(), theme)));
      all.add(new Plot(Messages.plotHalfNormal,
          theme -> EffectCharts.halfNormal(effects, shown.halfNormal(), theme)));
    }
    all.add(new Plot(Messages.plotMain,
        theme -> ResponseCharts.mainEffects(shown.responses(), shown.levels(), theme)));
    if (!shown.interactions().isEmpty()) {
      all.add(new Plot(Messages.plotInteraction, null));
    }
    all.add(new Plot(Messages.plotRunOrder,
        theme -> ResponseCharts.runOrder(shown.responses(), shown.runOrder(), theme)));
    return all;
  }

  private void draw() {
    Plot plot = plots.get(choice.getSelectionIndex());
    boolean pairs = plot.chart() == null;
    if (pair.getVisible() != pairs) {
      pair.setVisible(pairs);
      ((GridData) pair.getLayoutData()).exclude = !pairs;
      pair.getParent().layout();
    }
    EffectsResult shown = result;
    if (pairs) {
      Plots.Interaction interaction = shown.interactions().get(pair.getSelectionIndex());
      canvas.show(plot.name(),
          theme -> ResponseCharts.interaction(shown.responses(), interaction, theme));
    } else {
      canvas.show(NLS.bind(Messages.plotName, plot.name(), shown.file().getFileName()),
          plot.chart());
    }
  }

  Combo choice() {
    return choice;
  }

  Combo pair() {
    return pair;
  }

  ChartCanvas canvas() {
    return canvas;
  }
}
