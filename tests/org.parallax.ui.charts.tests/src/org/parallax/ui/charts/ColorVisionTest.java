package org.parallax.ui.charts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Color;
import org.junit.jupiter.api.Test;

/** Known colours, and pairs that people with a kind of colour blindness confuse. */
class ColorVisionTest {
  private static double distance(int one, int other, ColorVision.Kind kind) {
    return new ColorVision.Seen(new Color(one)).distance(
        new ColorVision.Seen(new Color(other)), kind);
  }

  @Test
  void distancesAreThoseOfLab() {
    assertEquals(100, distance(0, 0xffffff, ColorVision.Kind.NORMAL), 0.1);
    // L*a*b* of red is 53.24, 80.09, 67.20, and that of green 87.73, -86.18, 83.18.
    assertEquals(Math.sqrt(34.49 * 34.49 + 166.27 * 166.27 + 15.98 * 15.98),
        distance(0xff0000, 0x00ff00, ColorVision.Kind.NORMAL), 0.2);
  }

  @Test
  void redAndGreenAreAlikeForSomeAndBlueAndGreenForOthers() {
    int red = 0xb5651d;
    int green = 0x6f7f1a;
    double normal = distance(red, green, ColorVision.Kind.NORMAL);
    assertTrue(normal > 40, "" + normal);
    assertTrue(distance(red, green, ColorVision.Kind.DEUTERANOPIA) < normal / 2);
    assertTrue(distance(red, green, ColorVision.Kind.PROTANOPIA) < normal / 2);
    assertTrue(distance(0x2080c0, 0x20a080, ColorVision.Kind.TRITANOPIA)
        < distance(0x2080c0, 0x20a080, ColorVision.Kind.NORMAL) / 2);
    // Greys stay what they are.
    for (ColorVision.Kind kind : ColorVision.Kind.values()) {
      assertEquals(distance(0x404040, 0xa0a0a0, ColorVision.Kind.NORMAL),
          distance(0x404040, 0xa0a0a0, kind), 0.5);
    }
  }

  @Test
  void lightnessChromaAndHueComeBack() {
    for (int rgb : new int[] {0x3a7bd0, 0xd9442c, 0x808080, 0x10a040}) {
      double[] lch = ColorVision.lch(new Color(rgb));
      assertEquals(new Color(rgb), ColorVision.ofLch(lch[0], lch[1], lch[2]));
    }
    assertNull(ColorVision.ofLch(50, 150, 200), "no screen shows it");
  }
}
