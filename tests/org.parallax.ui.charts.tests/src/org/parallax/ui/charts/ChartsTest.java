package org.parallax.ui.charts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Color;
import java.awt.Font;
import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jfree.chart.ChartRenderingInfo;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.entity.ChartEntity;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.XYPlot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.table.Unit;
import org.parallax.experiment.design.Design;
import org.parallax.experiment.design.Fraction;
import org.parallax.experiment.effects.Effects;
import org.parallax.experiment.effects.Observation;
import org.parallax.experiment.effects.Options;
import org.parallax.experiment.effects.Plots;
import org.parallax.experiment.effects.Responses;

/** Charts of an experiment with planted effects: +40 ms of a, -20 ms of b, nothing of c. */
class ChartsTest {
  private static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
  private static final ChartTheme LIGHT = ChartTheme.of(Color.WHITE, Color.BLACK, FONT);
  private static final ChartTheme DARK =
      ChartTheme.of(new Color(0x2f2f2f), new Color(0xdddddd), FONT);
  private static final double MS = 1e6;

  @TempDir Path directory;

  private final Responses responses = responses();
  private final Effects effects = Effects.of(responses, Options.of(3));

  private static Responses responses() {
    Design design = Fraction.full(3).design();
    Random random = new Random(4);
    List<Observation> observations = new ArrayList<>();
    for (int replicate = 0; replicate < 3; replicate++) {
      for (int run = 0; run < design.runs(); run++) {
        int[] settings = design.settings()[run];
        observations.add(new Observation(run, replicate, 0, observations.size(),
            (200 + 20 * settings[0] - 10 * settings[1] + random.nextGaussian()) * MS));
      }
    }
    return new Responses(design, List.of("a", "b", "c"), "elapsed", Unit.NANOSECONDS,
        observations, List.of());
  }

  private List<JFreeChart> charts(ChartTheme theme) {
    return List.of(EffectCharts.pareto(effects, Plots.pareto(effects), theme),
        EffectCharts.halfNormal(effects, Plots.halfNormal(effects), theme),
        ResponseCharts.mainEffects(responses, Plots.mainEffects(responses, effects.options()),
            theme),
        ResponseCharts.interaction(responses, Plots.interactions(responses).get(0), theme),
        ResponseCharts.runOrder(responses, Plots.runOrder(responses), theme));
  }

  private static List<String> toolTips(JFreeChart chart) {
    ChartRenderingInfo info = new ChartRenderingInfo();
    Pictures.draw(Drawing.of(chart), 500, 400, 1, info);
    List<String> texts = new ArrayList<>();
    for (Object entity : info.getEntityCollection().getEntities()) {
      String text = ((ChartEntity) entity).getToolTipText();
      if (text != null) {
        texts.add(text);
      }
    }
    return texts;
  }

  @Test
  void paretoHasTheLargestEffectFirstInTheColourOfItsVerdict() {
    JFreeChart chart = charts(LIGHT).get(0);
    CategoryPlot plot = (CategoryPlot) chart.getPlot();
    assertEquals("a", plot.getDataset().getColumnKey(0).toString());
    assertEquals("b", plot.getDataset().getColumnKey(1).toString());
    assertEquals(40, plot.getDataset().getValue(0, 0).doubleValue(), 2);
    assertEquals(20, plot.getDataset().getValue(0, 1).doubleValue(), 2);
    assertEquals(LIGHT.slower(), plot.getRenderer().getItemPaint(0, 0));
    assertEquals(LIGHT.faster(), plot.getRenderer().getItemPaint(0, 1));
    assertEquals("effect on elapsed (ms)", plot.getRangeAxis().getLabel());
    List<String> texts = toolTips(chart);
    assertEquals(7, texts.size(), texts.toString());
    assertTrue(texts.get(0).matches("a: (39|40|41)\\.?\\d* ms ± 0\\.\\d+ ms"), texts.get(0));
    assertTrue(texts.get(1).matches("b: -(19|20|21)\\.?\\d* ms ± 0\\.\\d+ ms"), texts.get(1));
  }

  @Test
  void halfNormalPlotHasAllEffectsRising() {
    XYPlot plot = (XYPlot) charts(LIGHT).get(1).getPlot();
    int last = plot.getDataset().getItemCount(0) - 1;
    assertEquals(6, last);
    assertEquals(40, plot.getDataset().getYValue(0, last), 2);
    for (int i = 0; i < last; i++) {
      assertTrue(plot.getDataset().getYValue(0, i) <= plot.getDataset().getYValue(0, i + 1));
      assertTrue(plot.getDataset().getXValue(0, i) < plot.getDataset().getXValue(0, i + 1));
    }
    assertEquals(LIGHT.slower(), plot.getRenderer().getItemPaint(0, last));
    assertEquals(1, plot.getAnnotations().size());
  }

  @Test
  void otherChartsTellTheirMeans() {
    List<JFreeChart> charts = charts(LIGHT);
    XYPlot main = (XYPlot) charts.get(2).getPlot();
    assertEquals(3, main.getSeriesCount());
    assertEquals(180, main.getDataset().getYValue(0, 0), 2);
    assertEquals(220, main.getDataset().getYValue(0, 1), 2);
    XYPlot pair = (XYPlot) charts.get(3).getPlot();
    assertEquals(190, pair.getDataset().getYValue(0, 0), 2);
    assertEquals(230, pair.getDataset().getYValue(0, 1), 2);
    assertEquals(170, pair.getDataset().getYValue(1, 0), 2);
    assertEquals(210, pair.getDataset().getYValue(1, 1), 2);
    assertTrue(toolTips(charts.get(2)).stream().anyMatch(text -> text.startsWith("b at +: 1")));
    assertTrue(toolTips(charts.get(3)).stream().anyMatch(
        text -> text.startsWith("a at +, b −: 2")), toolTips(charts.get(3)).toString());
    assertEquals(48, toolTips(charts.get(4)).size());
  }

  @Test
  void picturesAreWrittenInBothThemes() throws Exception {
    TreeSet<Integer> backgrounds = new TreeSet<>();
    for (ChartTheme theme : List.of(LIGHT, DARK)) {
      for (JFreeChart chart : charts(theme)) {
        Path png = directory.resolve("chart.png");
        Pictures.write(chart, 300, 200, png);
        BufferedImage image = ImageIO.read(png.toFile());
        assertEquals(600, image.getWidth());
        assertEquals(400, image.getHeight());
        backgrounds.add(image.getRGB(1, 1));
        int colours = 0;
        for (int x = 0; x < 600; x++) {
          colours += image.getRGB(x, 200) == image.getRGB(1, 1) ? 0 : 1;
        }
        assertNotEquals(0, colours);
        Path svg = directory.resolve("chart.svg");
        Pictures.write(chart, 300, 200, svg);
        var factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd",
            false);
        var root = factory.newDocumentBuilder().parse(svg.toFile()).getDocumentElement();
        assertEquals("svg", root.getTagName());
        assertEquals("300", root.getAttribute("width"));
        assertTrue(root.getElementsByTagName("text").getLength() > 3);
      }
    }
    assertEquals(2, backgrounds.size());
  }

  @Test
  void valuesHaveTheUnitOfTheLargest() {
    assertEquals(new Scale(1e6, "ms"), Scale.of(Unit.NANOSECONDS, 5e6));
    assertEquals("0.01230 ms", Scale.of(Unit.NANOSECONDS, 5e6).text(12_300));
    assertEquals("12 s", Scale.of(Unit.NANOSECONDS, 12e9).text(12e9));
    assertEquals("123500", Scale.of(Unit.NUMBER, 1e9).text(123_456));
    assertEquals("?", Scale.of(Unit.NUMBER, 1).text(Double.NaN));
  }
}
