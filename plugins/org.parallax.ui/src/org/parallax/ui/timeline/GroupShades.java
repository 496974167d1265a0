package org.parallax.ui.timeline;

import java.awt.Color;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.parallax.ui.charts.ColorVision;

/**
 * Colours of about one hue, for the states of a group: light and dark, pale and strong.
 *
 * @param all in no order
 * @param usual few that are far from each other, which states have if nothing speaks against it
 */
record GroupShades(List<Shade> all, List<Shade> usual) {
  /** A colour, and how it is seen. */
  record Shade(Color color, ColorVision.Seen seen) {
    Shade(Color color) {
      this(color, new ColorVision.Seen(color));
    }

    /** The distance to the nearest of some colours. */
    double distance(Collection<Shade> others) {
      return others.stream().mapToDouble(each -> seen.distance(each.seen)).min()
          .orElse(Double.MAX_VALUE);
    }
  }

  private record Key(Color base, boolean isDark) {}

  private static final int USUAL = 8;
  private static final double[] HUES = {-28, -20, -10, 0, 10, 20, 28};
  /** Usual shades have about the hue of the group. */
  private static final double USUAL_TURN = 10;
  private static final int USUAL_CHROMA = 30;
  private static final int LIGHTNESS_STEP = 3;
  private static final int CHROMA_STEP = 9;
  private static final int LEAST_CHROMA = 18;
  private static final int MOST_CHROMA = 82;
  private static final Map<Key, GroupShades> MADE = new ConcurrentHashMap<>();

  /** @param base the colour of whose hue they are */
  static GroupShades of(Color base, boolean isDark) {
    return MADE.computeIfAbsent(new Key(base, isDark), key -> make(base, isDark));
  }

  private static GroupShades make(Color base, boolean isDark) {
    double[] lch = ColorVision.lch(base);
    boolean isGrey = lch[1] < LEAST_CHROMA / 2.0;
    int darkest = isDark ? 40 : 30;
    int lightest = isDark ? 86 : 82;
    List<Shade> all = new ArrayList<>();
    List<Shade> plain = new ArrayList<>();
    for (int lightness = darkest; lightness <= lightest; lightness += LIGHTNESS_STEP) {
      if (isGrey) {
        all.add(new Shade(ColorVision.ofLch(lightness, 0, 0)));
        plain.add(all.get(all.size() - 1));
        continue;
      }
      for (double turn : HUES) {
        for (int chroma = LEAST_CHROMA; chroma <= MOST_CHROMA; chroma += CHROMA_STEP) {
          Color color = ColorVision.ofLch(lightness, chroma, lch[2] + turn);
          if (color != null) {
            all.add(new Shade(color));
            if (Math.abs(turn) <= USUAL_TURN && chroma >= USUAL_CHROMA) {
              plain.add(all.get(all.size() - 1));
            }
          }
        }
      }
    }
    List<Shade> usual = new ArrayList<>();
    usual.add(farthest(plain, List.of(new Shade(base)), -1));
    while (usual.size() < USUAL) {
      usual.add(farthest(plain, usual, 1));
    }
    return new GroupShades(List.copyOf(all), List.copyOf(usual));
  }

  /** The one of these shades that is farthest from all others. */
  Shade farthest(Collection<Shade> others) {
    return farthest(all, others, 1);
  }

  private static Shade farthest(List<Shade> of, Collection<Shade> others, int sign) {
    Shade best = of.get(0);
    double most = -Double.MAX_VALUE;
    for (Shade shade : of) {
      double distance = sign * shade.distance(others);
      if (distance > most) {
        most = distance;
        best = shade;
      }
    }
    return best;
  }
}
