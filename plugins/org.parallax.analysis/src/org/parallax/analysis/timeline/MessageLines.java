package org.parallax.analysis.timeline;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.parallax.analysis.waits.Interplay;
import org.parallax.analysis.waits.ThreadMail;

/**
 * Messages between threads in a part of the time.
 *
 * @param lines some of them, or all
 * @param count how many there are; where some were chosen, also those of threads that are not shown
 */
public record MessageLines(List<Line> lines, long count) {
  /**
   * A message, or bytes of a stream. Threads by their index.
   *
   * @param receivedNs before {@code sentNs} where clocks differ
   */
  public record Line(int from, long sentNs, int to, long receivedNs, long bytes, boolean isStream) {}

  static MessageLines of(Interplay interplay, int[] threads, long fromNs, long toNs, int most) {
    BitSet shown = new BitSet();
    long received = 0;
    for (int thread : threads) {
      shown.set(thread);
      ThreadMail mail = interplay.mail(thread);
      received += mail.firstReceivedAt(toNs) - mail.firstReceivedAt(fromNs);
    }
    long every = Math.max(1, (received + most - 1) / most);
    List<Line> lines = new ArrayList<>();
    long count = 0;
    for (int thread : threads) {
      ThreadMail mail = interplay.mail(thread);
      long end = mail.firstReceivedAt(toNs);
      for (long i = mail.firstReceivedAt(fromNs); i < end; i += every) {
        if (shown.get(mail.sender(i))) {
          lines.add(line(mail, i, thread));
          count += Math.min(every, end - i);
        }
      }
      // Those that arrive later, and were under way before.
      for (long i = mail.nextSentBefore(end, toNs); i < mail.count() && lines.size() < 2L * most;
          i = mail.nextSentBefore(i + 1, toNs)) {
        if (shown.get(mail.sender(i))) {
          lines.add(line(mail, i, thread));
          count++;
        }
      }
    }
    return new MessageLines(List.copyOf(lines), count);
  }

  private static Line line(ThreadMail mail, long index, int to) {
    return new Line(mail.sender(index), mail.sentNs(index), to, mail.receivedNs(index),
        mail.bytes(index), mail.isStream(index));
  }

  /** @return true if not all are among the lines */
  public boolean isThinned() {
    return lines.size() < count;
  }
}
