package org.parallax.ui.charts;

import java.awt.Dimension;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.jfree.chart.ChartRenderingInfo;
import org.jfree.chart.JFreeChart;
import org.w3c.dom.Document;

/** Draws charts and the like into pictures; on any thread. */
public final class Pictures {
  private static final String HEADLESS = "java.awt.headless";
  private static final String SVG = "http://www.w3.org/2000/svg";

  static {
    // Fonts and colours need no connection to the display, and GTK's must stay the only one.
    if (System.getProperty(HEADLESS) == null) {
      System.setProperty(HEADLESS, "true");
    }
  }

  private Pictures() {
  }

  /** Called before anything else of AWT. */
  static void prepare() {
    // The class is initialized.
  }

  /**
   * Makes a picture.
   *
   * @param scale pixels for each point of the size
   * @param info is told where everything is, in points; or null
   */
  static BufferedImage draw(Drawing drawing, int width, int height, double scale,
      ChartRenderingInfo info) {
    BufferedImage image = new BufferedImage((int) Math.round(width * scale),
        (int) Math.round(height * scale), BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    try {
      graphics.scale(scale, scale);
      graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING,
          RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
      graphics.setRenderingHint(RenderingHints.KEY_FRACTIONALMETRICS,
          RenderingHints.VALUE_FRACTIONALMETRICS_ON);
      drawing.draw(graphics, width, height, info);
    } finally {
      graphics.dispose();
    }
    return image;
  }

  /** Writes a chart. */
  public static void write(JFreeChart chart, int width, int height, Path file)
      throws IOException {
    write(Drawing.of(chart), width, height, file);
  }

  /** Writes a drawing as SVG if the name ends so, else as PNG with two pixels for each point. */
  public static void write(Drawing drawing, int width, int height, Path file)
      throws IOException {
    if (file.getFileName().toString().toLowerCase(Locale.ROOT).endsWith(".svg")) {
      writeSvg(drawing, width, height, file);
    } else if (!ImageIO.write(draw(drawing, width, height, 2, null), "png", file.toFile())) {
      throw new IOException("this Java cannot write PNG");
    }
  }

  private static void writeSvg(Drawing drawing, int width, int height, Path file)
      throws IOException {
    Document document;
    try {
      document = DocumentBuilderFactory.newInstance().newDocumentBuilder().getDOMImplementation()
          .createDocument(SVG, "svg", null);
    } catch (ParserConfigurationException e) {
      throw new IOException(e);
    }
    SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
    context.setComment("Parallax");
    SVGGraphics2D graphics = new SVGGraphics2D(context, false);
    graphics.setSVGCanvasSize(new Dimension(width, height));
    drawing.draw(graphics, width, height, null);
    try (Writer writer = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      graphics.stream(writer, true);
    }
  }
}
