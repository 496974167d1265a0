package org.parallax.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.parallax.record.ArrivalRates.Interval;
import org.parallax.record.TraceWatch.Counts;

class ArrivalRatesTest {
  private static final long HALF_SECOND_NS = 500_000_000;

  private static Counts counts(long events, long bytes) {
    return new Counts(1, 1, events, bytes);
  }

  @Test
  void ratesAreWhatArrivedOfTheTimeBetweenLooks() {
    ArrivalRates rates = new ArrivalRates();
    assertEquals(List.of(), rates.intervals());
    assertEquals(0, rates.recent().eventsPerSecond());
    rates.add(HALF_SECOND_NS, counts(100, 4000));
    rates.add(3 * HALF_SECOND_NS, counts(400, 4000));
    assertEquals(List.of(200.0, 300.0),
        rates.intervals().stream().map(Interval::eventsPerSecond).toList());
    assertEquals(List.of(8000.0, 0.0),
        rates.intervals().stream().map(Interval::bytesPerSecond).toList());
    assertEquals(400 / 1.5, rates.recent().eventsPerSecond(), 1e-9);
    // The last second alone.
    rates.add(4 * HALF_SECOND_NS, counts(400, 4000));
    assertEquals(0, rates.recent().eventsPerSecond());
  }

  @Test
  void aLookAtNothingOrAtTheSameMomentIsNoNegativeRate() {
    ArrivalRates rates = new ArrivalRates();
    rates.add(HALF_SECOND_NS, counts(100, 800));
    rates.add(HALF_SECOND_NS, counts(200, 1600));
    rates.add(2 * HALF_SECOND_NS, Counts.NONE);
    assertEquals(List.of(100L, 0L), rates.intervals().stream().map(Interval::events).toList());
  }

  @Test
  void whatIsKeptDoesNotGrowAndSumsToAllThatArrived() {
    ArrivalRates rates = new ArrivalRates();
    Random random = new Random(7);
    long events = 0;
    long ns = 0;
    for (int look = 1; look <= 20_000; look++) {
      ns += 1 + random.nextInt(1000);
      events += random.nextInt(50);
      rates.add(ns, counts(events, 8 * events));
      List<Interval> kept = rates.intervals();
      assertTrue(kept.size() <= ArrivalRates.CAPACITY);
      if (look % 997 == 0) {
        assertEquals(events, kept.stream().mapToLong(Interval::events).sum(), "look " + look);
        assertEquals(8 * events, kept.stream().mapToLong(Interval::bytes).sum());
        long at = 0;
        for (Interval each : kept) {
          assertEquals(at, each.fromNs());
          at = each.toNs();
        }
        assertEquals(ns, at);
      }
    }
    assertTrue(rates.intervals().size() >= ArrivalRates.CAPACITY / 2);
  }
}
