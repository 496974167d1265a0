package org.parallax.ui.charts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Color;
import java.awt.Font;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every colour of a theme is told from its background, in light and dark. */
class ContrastTest {
  private static final double TEXT = 4.5;
  private static final double SHAPE = 3;
  /** What only guides the eye. */
  private static final Set<String> FAINT = Set.of("background", "grid", "none");

  @Test
  void contrastIsThatOfTheGuidelines() {
    assertEquals(21, ChartTheme.contrast(Color.BLACK, Color.WHITE), 1e-9);
    assertEquals(1, ChartTheme.contrast(Color.RED, Color.RED), 1e-9);
    assertEquals(4.54, ChartTheme.contrast(new Color(0x767676), Color.WHITE), 0.01);
  }

  /** Backgrounds of the light theme, of GTK's dark one, and of the workbench's dark style. */
  @ParameterizedTest
  @CsvSource({"ffffff,000000", "f6f5f4,2e3436", "2f2f2f,cccccc", "2d2d2d,ffffff", "1e1e1e,dddddd"})
  void coloursAreToldFromTheBackground(String background, String foreground) throws Exception {
    ChartTheme theme = ChartTheme.of(new Color(Integer.parseInt(background, 16)),
        new Color(Integer.parseInt(foreground, 16)), new Font(Font.SANS_SERIF, Font.PLAIN, 12));
    List<String> weak = new ArrayList<>();
    int seen = 0;
    for (RecordComponent part : ChartTheme.class.getRecordComponents()) {
      Object value = part.getAccessor().invoke(theme);
      Color[] colors = value instanceof Color color ? new Color[] {color}
          : value instanceof Color[] several ? several : new Color[0];
      for (Color color : colors) {
        seen++;
        double least = part.getName().equals("foreground") ? TEXT : SHAPE;
        double contrast = ChartTheme.contrast(color, theme.background());
        if (!FAINT.contains(part.getName()) && contrast < least) {
          weak.add(String.format("%s %06x has %.2f", part.getName(), color.getRGB() & 0xffffff,
              contrast));
        }
      }
    }
    assertTrue(seen > 10, "colours seen: " + seen);
    assertEquals(List.of(), weak);
  }
}
