package org.parallax.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.source.Disassembly.Line;
import org.parallax.analysis.source.SampleInterval;
import org.parallax.source.JumpArrows.Arrow;
import org.parallax.trace.code.MachineCode.Instruction;

/** Jumps as pictures: a letter for the beginning of an arrow, the same in upper case for its end. */
class JumpArrowsTest {
  /** The lanes of arrows by their letters. */
  private static Map<Character, Integer> lanes(String... rows) {
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < rows.length; i++) {
      String to = rows[i].chars().filter(Character::isUpperCase).mapToObj(c -> "" + (char) c)
          .findFirst().orElse("").toLowerCase();
      String from = rows[i].chars().filter(Character::isLowerCase).mapToObj(c -> "" + (char) c)
          .findFirst().orElse("");
      lines.add(new Line(new Instruction(i, 1, from.isEmpty() ? -1 : 0, "", "", List.of()), to, from,
          0, 0, 0, new SampleInterval(0, 0)));
    }
    Map<Character, Integer> lanes = new TreeMap<>();
    for (Arrow arrow : JumpArrows.of(lines).arrows()) {
      lanes.put(lines.get(arrow.from()).target().charAt(0), arrow.lane());
      assertEquals(lines.get(arrow.from()).target(), lines.get(arrow.to()).label());
    }
    return lanes;
  }

  @Test
  void innerLoopsAreInside() {
    assertEquals(Map.of('a', 0, 'b', 1), lanes("B", "A", " ", "a", "b"));
    assertEquals(Map.of('a', 0, 'b', 0), lanes("A", "a", "b", "B"));
    assertEquals(Map.of('a', 0, 'b', 1), lanes("a", "b", "A", "B"));
    assertEquals(Map.of('a', 0), lanes("A", "a", "a"), "to the same place on one line");
    assertEquals(Map.of(), lanes("x", " "), "out of the function");
  }

  @Test
  void manyNestedJumpsLeaveOutTheLongest() {
    String[] rows = new String[2 * 10];
    for (int i = 0; i < 10; i++) {
      rows[i] = "" + (char) ('A' + i);
      rows[rows.length - 1 - i] = "" + (char) ('a' + i);
    }
    Map<Character, Integer> lanes = lanes(rows);
    assertEquals(JumpArrows.MOST_LANES, lanes.size());
    assertEquals(0, lanes.get('j'));
    assertTrue(lanes.keySet().stream().allMatch(letter -> letter > 'd'), lanes.toString());
  }
}
