package org.parallax.source;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.eclipse.jface.text.Document;
import org.eclipse.jface.text.IDocument;
import org.junit.jupiter.api.Test;

/** Where the lines of a text are after edits. */
class LineHistoryTest {
  private static final long NOW_MS = Long.MAX_VALUE;
  private final IDocument document = new Document("a\nb\nc\nd\n");
  private final LineHistory history = new LineHistory();

  private int[] moves(long runMs) {
    return history.since(runMs, document).compute();
  }

  @Test
  void linesMoveChangeAndGo() {
    history.begin(document);
    assertNull(moves(0));
    document.set("new\na\nb\nc\nd\n");
    assertArrayEquals(new int[] {1, 2, 3, 4}, moves(0));
    document.set("a\n  b\nother\nd\n");
    assertArrayEquals(new int[] {0, 1, 2, 3}, moves(0), "one was changed where it is");
    document.set("a\nd\n");
    assertArrayEquals(new int[] {0, -1, -1, 1}, moves(0));
    document.set("a\nb\nb\nc\nd\nd\n");
    assertArrayEquals(new int[] {0, 1, 3, 4}, moves(0));
    document.set("");
    assertArrayEquals(new int[] {-1, -1, -1, -1}, moves(0));
  }

  /** A run after a save was compiled from what was saved. */
  @Test
  void eachRunHasTheTextOfItsTime() {
    history.begin(document);
    long beforeMs = System.currentTimeMillis() - 1;
    document.set("new\na\nb\nc\nd\n");
    history.saved(document);
    assertNull(moves(NOW_MS));
    assertArrayEquals(new int[] {1, 2, 3, 4}, moves(beforeMs));
    document.set("a\nb\nc\nd\n");
    assertArrayEquals(new int[] {-1, 0, 1, 2, 3}, moves(NOW_MS));
    assertArrayEquals(new int[] {0, 1, 2, 3}, moves(beforeMs));
  }

  @Test
  void editsAreNoticed() throws Exception {
    history.begin(document);
    LineHistory.Moves moves = history.since(0, document);
    assertTrue(moves.isOf(document));
    document.replace(0, 1, "x");
    assertFalse(moves.isOf(document));
  }

  @Test
  void ofManyTextsTheFirstIsKept() {
    history.begin(document);
    long beforeMs = System.currentTimeMillis() - 1;
    for (int i = 0; i < 50; i++) {
      document.set("new\n".repeat(i + 1) + "a\nb\nc\nd\n");
      history.saved(document);
    }
    assertArrayEquals(new int[] {50, 51, 52, 53}, moves(beforeMs));
  }
}
