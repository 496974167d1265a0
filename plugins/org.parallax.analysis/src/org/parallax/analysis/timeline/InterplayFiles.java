package org.parallax.analysis.timeline;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.parallax.analysis.internal.KeptFiles;
import org.parallax.analysis.internal.ParallelWork;
import org.parallax.analysis.path.PathSegments;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.waits.Interplay;
import org.parallax.analysis.waits.ThreadMail;
import org.parallax.analysis.waits.ThreadStops;
import org.parallax.trace.IndexPlace;
import org.parallax.trace.Progress;

/**
 * What threads waited for, what they sent each other, and their critical path, kept on disk beside the events
 * ({@link KeptFiles}): a file for each thread, and one for the path beside those of the first thread. They are valid for
 * exactly the events of all these threads together. So nothing is kept if those of one can still change or are damaged.
 *
 * <p>The files of threads are mapped, not loaded. All methods can be called from any thread.
 */
final class InterplayFiles {
  private static final String SUFFIX = ".waits";
  private static final String PATH_SUFFIX = ".path";
  /** To be increased when what is kept, what a replay finds, or how it is written, changes. */
  private static final int VERSION = 0x54570001;
  private static final int PATH_VERSION = 0x54500001;

  private final List<ThreadRecord> threads;
  private final StateFiles states;
  private final String pathName;
  private final KeptFiles files = new KeptFiles(VERSION);
  private final KeptFiles pathFiles = new KeptFiles(PATH_VERSION);
  /** Of each thread, once they were read: its sums of steps, with waits. */
  private volatile List<ByteBuffer> sums;

  /** What is in the file of a thread. */
  private record Kept(ThreadStops stops, ThreadMail mail, List<String> warnings, ByteBuffer sums) {}

  /** Where files of all threads are, and of which events. */
  private record Places(List<IndexPlace> all, byte[] identity) {
    Path file(int thread) {
      return StateFiles.file(all.get(thread), SUFFIX);
    }

    Path path() {
      return StateFiles.file(all.get(0), PATH_SUFFIX);
    }

    /** Of what is kept of a thread: of all events, and of which thread. */
    byte[] identity(int thread) {
      MessageDigest hash = sha256();
      hash.update(identity);
      return hash.digest(all.get(thread).identity());
    }

    /** Of the path, which depends also on what counts as one program. */
    byte[] pathIdentity(String pathName) {
      MessageDigest hash = sha256();
      hash.update(identity);
      return hash.digest(pathName.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** @param pathName what the critical path depends on beside the events */
  InterplayFiles(List<ThreadRecord> threads, StateFiles states, String pathName) {
    this.threads = threads;
    this.states = states;
    this.pathName = pathName;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** @return null if nothing can be kept of some events */
  private Places places() {
    List<IndexPlace> all = new ArrayList<>();
    MessageDigest hash = sha256();
    for (ThreadRecord record : threads) {
      IndexPlace place = IndexPlace.of(record.thread());
      if (place == null) {
        return null;
      }
      all.add(place);
      hash.update(states.identity(record, place));
    }
    return all.isEmpty() ? null : new Places(all, hash.digest());
  }

  /** @return null if there are no files of exactly these events */
  Interplay read() {
    Places places = places();
    List<Kept> all = new ArrayList<>();
    for (int thread = 0; places != null && thread < threads.size(); thread++) {
      Kept kept = files.read(places.file(thread), places.identity(thread), InterplayFiles::read);
      if (kept == null) {
        return null;
      }
      all.add(kept);
    }
    if (places == null) {
      return null;
    }
    sums = all.stream().map(Kept::sums).toList();
    return new Interplay(all.stream().map(Kept::stops).toList(), all.stream().map(Kept::mail).toList(),
        all.get(0).warnings);
  }

  private static Kept read(ByteBuffer in) {
    ThreadStops stops = ThreadStops.read(in);
    ThreadMail mail = ThreadMail.read(in);
    List<String> warnings = new ArrayList<>();
    for (int count = in.getInt(); count > 0; count--) {
      byte[] text = new byte[Math.min(in.getInt(), in.remaining())];
      in.get(text);
      warnings.add(new String(text, StandardCharsets.UTF_8));
    }
    return new Kept(stops, mail, warnings, in.slice());
  }

  /** @return what a thread does, with its waits, if they were read; else null */
  StateIndex with(StateIndex index, ThreadStops stops, int thread) {
    List<ByteBuffer> known = sums;
    try {
      return known == null ? null : index.with(stops, known.get(thread).duplicate());
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      return null;
    }
  }

  /**
   * Keeps what was found by a replay, unless it was read.
   *
   * @param indexes what threads do, with their waits
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  void write(Interplay interplay, List<StateIndex> indexes, Progress progress) {
    Places places = sums != null ? null : places();
    if (places == null || !areWhole() || !indexes.stream().allMatch(StateIndex::isMade)) {
      return;
    }
    List<Integer> order = IntStream.range(0, threads.size()).boxed().toList();
    ParallelWork.map(order, (thread, shared) -> {
      files.write(places.file(thread), places.identity(thread),
          out -> write(interplay, thread, indexes.get(thread), out));
      shared.check();
      return thread;
    }, progress);
  }

  private static void write(Interplay interplay, int thread, StateIndex index, DataOutputStream out) throws IOException {
    interplay.stops(thread).write(out);
    interplay.mail(thread).write(out);
    List<String> warnings = thread == 0 ? interplay.warnings() : List.of();
    out.writeInt(warnings.size());
    for (String warning : warnings) {
      byte[] text = warning.getBytes(StandardCharsets.UTF_8);
      out.writeInt(text.length);
      out.write(text);
    }
    index.writeSums(out);
  }

  private boolean areWhole() {
    return threads.stream().allMatch(record -> IndexPlace.isWhole(record.thread()));
  }

  /** @return null if there is no file of exactly these events */
  PathSegments readPath() {
    Places places = places();
    return places == null ? null
        : pathFiles.read(places.path(), places.pathIdentity(pathName), PathSegments::read);
  }

  void writePath(PathSegments path) {
    Places places = places();
    if (places != null && areWhole()) {
      pathFiles.write(places.path(), places.pathIdentity(pathName), path::write);
    }
  }

  /** Gives the memory back. */
  void forget() {
    sums = null;
  }

  /** @return why a file could not be written; empty if all could */
  List<String> warnings() {
    return Stream.concat(files.warnings().stream(), pathFiles.warnings().stream()).toList();
  }
}
