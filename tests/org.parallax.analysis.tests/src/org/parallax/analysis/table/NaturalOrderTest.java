package org.parallax.analysis.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Ranks stand in the order of their numbers. */
class NaturalOrderTest {
  @Test
  void numbersCountByTheirValues() {
    List<String> order = List.of("", "a", "a1", "a01b", "a2", "ring[0]->ring[1]",
        "ring[1]->ring[2]", "ring[1]->ring[10]", "ring[2]", "ring[10]", "ring[11]",
        "ring[99999999999999999999]", "ring[100000000000000000000]", "rung");
    for (int seed = 1; seed <= 20; seed++) {
      List<String> mixed = new ArrayList<>(order);
      Collections.shuffle(mixed, new Random(seed));
      mixed.sort(NaturalOrder.INSTANCE);
      assertEquals(order, mixed, "seed " + seed);
    }
  }

  @Test
  void onlyEqualTextsAreEqual() {
    assertEquals(0, NaturalOrder.INSTANCE.compare("x[07]", "x[07]"));
    assertTrue(NaturalOrder.INSTANCE.compare("x[07]", "x[7]") != 0);
    assertEquals(-NaturalOrder.INSTANCE.compare("x[07]", "x[7]"),
        NaturalOrder.INSTANCE.compare("x[7]", "x[07]"));
  }
}
