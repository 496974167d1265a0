package org.parallax.ui.charts;

import java.awt.Color;

/**
 * How different colours look, to people who see all colours and to those who do not.
 *
 * <p>Colour blindness is simulated after Machado, Oliveira and Fernandes, "A physiologically-based model for simulation
 * of color vision deficiency", 2009, at full severity. Distances are those of CIE 1976 L*a*b* under D65: 2.3 is just
 * noticeable between large areas side by side.
 */
public final class ColorVision {
  /** Kinds of vision. */
  public enum Kind {
    NORMAL(1, 0, 0, 0, 1, 0, 0, 0, 1),
    PROTANOPIA(0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116,
        1.051998),
    DEUTERANOPIA(0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940,
        0.968881),
    TRITANOPIA(1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367,
        0.303900);

    private final double[] matrix;

    Kind(double... matrix) {
      this.matrix = matrix;
    }
  }

  private static final Kind[] KINDS = Kind.values();
  private static final int PARTS = 3;
  private static final double[] WHITE = {0.95047, 1, 1.08883};
  private static final double EPSILON = 216.0 / 24389;
  private static final double KAPPA = 24389.0 / 27;

  private ColorVision() {
  }

  /** A colour as each kind of vision sees it. */
  public static final class Seen {
    private final double[][] lab = new double[KINDS.length][];

    /** Sees a colour. */
    public Seen(Color color) {
      double[] linear = {linear(color.getRed()), linear(color.getGreen()), linear(color.getBlue())};
      for (Kind kind : KINDS) {
        double[] seen = new double[PARTS];
        for (int i = 0; i < PARTS; i++) {
          double sum = 0;
          for (int j = 0; j < PARTS; j++) {
            sum += kind.matrix[PARTS * i + j] * linear[j];
          }
          seen[i] = Math.max(0, Math.min(1, sum));
        }
        lab[kind.ordinal()] = lab(seen);
      }
    }

    /** The distance to another colour for the kind of vision that tells them apart least. */
    public double distance(Seen other) {
      double least = Double.MAX_VALUE;
      for (Kind kind : KINDS) {
        least = Math.min(least, distance(other, kind));
      }
      return least;
    }

    /** The distance to another colour for a kind of vision. */
    public double distance(Seen other, Kind kind) {
      double[] a = lab[kind.ordinal()];
      double[] b = other.lab[kind.ordinal()];
      return Math.sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])
          + (a[2] - b[2]) * (a[2] - b[2]));
    }
  }

  private static double linear(int part) {
    double share = part / 255.0;
    return share <= 0.04045 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
  }

  private static double[] lab(double[] rgb) {
    double x = f((0.4124564 * rgb[0] + 0.3575761 * rgb[1] + 0.1804375 * rgb[2]) / WHITE[0]);
    double y = f(0.2126729 * rgb[0] + 0.7151522 * rgb[1] + 0.0721750 * rgb[2]);
    double z = f((0.0193339 * rgb[0] + 0.1191920 * rgb[1] + 0.9503041 * rgb[2]) / WHITE[2]);
    return new double[] {116 * y - 16, 500 * (x - y), 200 * (y - z)};
  }

  private static double f(double t) {
    return t > EPSILON ? Math.cbrt(t) : (KAPPA * t + 16) / 116;
  }

  /** @return lightness from 0 to 100, chroma, and hue in degrees */
  public static double[] lch(Color color) {
    double[] lab = lab(new double[] {
        linear(color.getRed()), linear(color.getGreen()), linear(color.getBlue())});
    return new double[] {lab[0], Math.hypot(lab[1], lab[2]),
        Math.toDegrees(Math.atan2(lab[2], lab[1]))};
  }

  /** @return the colour, or null if screens do not have it */
  public static Color ofLch(double lightness, double chroma, double hue) {
    double fy = (lightness + 16) / 116;
    double x = WHITE[0] * inverse(fy + chroma * Math.cos(Math.toRadians(hue)) / 500);
    double y = inverse(fy);
    double z = WHITE[2] * inverse(fy - chroma * Math.sin(Math.toRadians(hue)) / 200);
    double[] rgb = {3.2404542 * x - 1.5371385 * y - 0.4985314 * z,
        -0.9692660 * x + 1.8760108 * y + 0.0415560 * z,
        0.0556434 * x - 0.2040259 * y + 1.0572252 * z};
    int[] parts = new int[PARTS];
    for (int i = 0; i < PARTS; i++) {
      if (rgb[i] < -0.001 || rgb[i] > 1.001) {
        return null;
      }
      double share = rgb[i] <= 0.0031308 ? 12.92 * Math.max(0, rgb[i])
          : 1.055 * Math.pow(rgb[i], 1 / 2.4) - 0.055;
      parts[i] = (int) Math.round(255 * Math.min(1, share));
    }
    return new Color(parts[0], parts[1], parts[2]);
  }

  private static double inverse(double t) {
    double cube = t * t * t;
    return cube > EPSILON ? cube : (116 * t - 16) / KAPPA;
  }
}
