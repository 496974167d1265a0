package org.parallax.analysis.waits;

import java.util.ArrayList;
import java.util.List;
import org.parallax.analysis.replay.ArcKind;
import org.parallax.analysis.replay.Reference;
import org.parallax.analysis.replay.Replay;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.WaitListener;
import org.parallax.analysis.replay.WaitState;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;

/**
 * What passes between the threads of an application, moment by moment: what each waited for, and what
 * it received. Found by one replay; some 8 bytes for each wait and 10 for each message are held.
 */
public final class Interplay {
  private final List<ThreadStops> stops;
  private final List<ThreadMail> mail;
  private final List<String> warnings;

  /**
   * What was found before.
   *
   * @param stops by the index of the thread in the replay
   * @param mail by the index of the thread in the replay
   */
  public Interplay(List<ThreadStops> stops, List<ThreadMail> mail, List<String> warnings) {
    this.stops = List.copyOf(stops);
    this.mail = List.copyOf(mail);
    this.warnings = List.copyOf(warnings);
  }

  /**
   * Replays some processes, taken for one application.
   *
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public static Interplay of(List<ProcessTrace> processes, Progress progress) {
    Collector collector = new Collector();
    Replay replay = Replay.momentsOf(processes, progress, collector);
    return new Interplay(replay.threads().stream().map(record -> collector.stops(record.index())).toList(),
        replay.threads().stream().map(record -> collector.mail(record.index())).toList(), replay.warnings());
  }

  /** @return the waits of a thread, by its index in the replay */
  public ThreadStops stops(int thread) {
    return stops.get(thread);
  }

  /** @return what a thread received, by its index in the replay */
  public ThreadMail mail(int thread) {
    return mail.get(thread);
  }

  /** @return what a person must know of how far it can be trusted */
  public List<String> warnings() {
    return warnings;
  }

  private static final class Collector implements WaitListener {
    private final List<ThreadStops> stops = new ArrayList<>();
    private final List<ThreadMail> mail = new ArrayList<>();

    ThreadStops stops(int thread) {
      while (stops.size() <= thread) {
        stops.add(new ThreadStops());
      }
      return stops.get(thread);
    }

    ThreadMail mail(int thread) {
      while (mail.size() <= thread) {
        mail.add(new ThreadMail());
      }
      return mail.get(thread);
    }

    @Override
    public void waited(ThreadRecord thread, ArcKind kind, int detail, int path, long beginNs,
        long untilNs, long cause) {
      stops(thread.index()).add(
          WaitCollector.state(thread.process(), kind, detail, path), path, beginNs, untilNs);
    }

    @Override
    public void waitedAlone(ThreadRecord thread, WaitState state, int path, long beginNs, long endNs) {
      stops(thread.index()).add(state, path, beginNs, endNs);
    }

    @Override
    public void received(ThreadRecord thread, ArcKind kind, long bytes, long sentNs,
        long receivedNs, long from) {
      if (Reference.thread(from) != thread.index()) {
        mail(thread.index()).add(kind, Reference.thread(from), bytes, sentNs, receivedNs);
      }
    }

    @Override
    public void began(ThreadRecord thread, long createdNs, long cause) {
      // Before its first event a thread does nothing that could be shown.
    }

    @Override
    public void left(ThreadRecord thread, long key, long sequence, int size, int detail, int path,
        long beginNs, long endNs) {
      // Nobody in particular sent it.
    }
  }
}
