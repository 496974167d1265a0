package org.parallax.analysis.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Frames of a small tree, and of a deep one. */
class FlameFramesTest {
  private record Call(String name, long ns, List<Call> callees) {
    Call(String name, long ns, Call... callees) {
      this(name, ns, List.of(callees));
    }
  }

  private static final FlameFrames.Tree<Call> TREE = new FlameFrames.Tree<>() {
    @Override
    public List<Call> callees(Call call) {
      return call.callees();
    }

    @Override
    public long ns(Call call) {
      return call.ns();
    }
  };

  private static final Call MAIN = new Call("main", 100, new Call("a", 3), new Call("b", 40,
      new Call("c", 25)), new Call("d", 4), new Call("e", 4), new Call("f", 4), new Call("g", 30));

  private static List<String> frames(FlameFrames<Call> frames, int lastRow) {
    List<String> seen = new ArrayList<>();
    frames.visit(lastRow, (call, fromNs, ns, row) -> seen.add(
        (call == null ? "narrow" : call.name()) + " " + fromNs + "+" + ns + " in " + row));
    return seen;
  }

  @Test
  void calleesAreSideBySideAboveTheirCaller() {
    FlameFrames<Call> frames = new FlameFrames<>(TREE, MAIN, 10);
    assertEquals(List.of("main 0+100 in 0", "narrow 43+12 in 1", "b 3+40 in 1", "c 3+25 in 2",
        "g 55+30 in 1"), frames(frames, Integer.MAX_VALUE));
    assertEquals(List.of("main 0+100 in 0"), frames(frames, 0));
    assertEquals(List.of("b 0+40 in 0", "c 0+25 in 1"),
        frames(new FlameFrames<>(TREE, MAIN.callees().get(1), 10), Integer.MAX_VALUE));
  }

  @Test
  void positionsAreThoseOfFrames() {
    FlameFrames<Call> frames = new FlameFrames<>(TREE, MAIN, 10);
    assertEquals("main", frames.at(99, 0).name());
    assertEquals("b", frames.at(3, 1).name());
    assertEquals("c", frames.at(27.9, 2).name());
    assertNull(frames.at(28, 2), "beside a callee");
    assertNull(frames.at(44, 1), "too narrow");
    assertNull(frames.at(5, 3), "above all");
    assertNull(frames.at(90, 1), "time of the caller itself");
    assertNull(frames.at(5, -1), "below all");
  }

  @Test
  void deepCallPathsNeedNoStack() {
    Call call = new Call("leaf", 1);
    for (int depth = 0; depth < 200_000; depth++) {
      call = new Call("f", 1, call);
    }
    FlameFrames<Call> frames = new FlameFrames<>(TREE, call, 0);
    assertEquals(200_001, frames(frames, Integer.MAX_VALUE).size());
    assertEquals("leaf", frames.at(0, 200_000).name());
  }
}
