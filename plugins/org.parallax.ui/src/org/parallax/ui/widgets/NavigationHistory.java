package org.parallax.ui.widgets;

import java.util.Deque;
import java.util.LinkedList;
import java.util.Objects;

/**
 * Where a person has been in a view, to go back and forward again.
 *
 * @param <T> what tells a place, may be null; has equals
 */
public final class NavigationHistory<T> {
  private static final int MOST = 200;

  private final Deque<T> before = new LinkedList<>();
  private final Deque<T> after = new LinkedList<>();

  /** Goes to another place. */
  public void leave(T from, T to) {
    if (Objects.equals(from, to)) {
      return;
    }
    before.push(from);
    after.clear();
    if (before.size() > MOST) {
      before.removeLast();
    }
  }

  public boolean canGoBack() {
    return !before.isEmpty();
  }

  public boolean canGoForward() {
    return !after.isEmpty();
  }

  /** @return where the person was before; {@code from} if nowhere */
  public T back(T from) {
    if (before.isEmpty()) {
      return from;
    }
    after.push(from);
    return before.pop();
  }

  /** @return from where the person went back; {@code from} if nowhere */
  public T forward(T from) {
    if (after.isEmpty()) {
      return from;
    }
    before.push(from);
    return after.pop();
  }

  public void clear() {
    before.clear();
    after.clear();
  }
}
