package org.parallax.analysis.replay;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Stream;
import org.parallax.trace.SyncObject;

/**
 * What processes have in common: the streams between them, and the locks, semaphores and barriers
 * that they share. Gives each a small number, and tells how many of the processes know it.
 */
final class Shared {
  /** No number: it matches nothing. */
  static final int NONE = -1;

  private record StreamKey(long high, long low) {}

  /** @param place the host, or the virtual machine of a group of PVM */
  private record ObjectKey(String place, SyncObject.Kind kind, long key) {}

  private final int[][] streams;
  private final int[][] objects;
  private int[] streamUsers = new int[16];
  private int[] objectUsers = new int[16];

  /** Linear in the definitions of the processes. */
  Shared(List<ProcessTrace> processes) {
    streams = new int[processes.size()][];
    objects = new int[processes.size()][];
    Map<StreamKey, Integer> streamIds = new HashMap<>();
    Set<StreamKey> untrusted = untrusted(processes);
    Map<ObjectKey, Integer> objectIds = new HashMap<>();
    for (int p = 0; p < processes.size(); p++) {
      ProcessTrace process = processes.get(p);
      streams[p] = new int[process.streamCount()];
      for (int id = 0; id < streams[p].length; id++) {
        Stream stream = process.stream(id);
        streams[p][id] = stream == null || !stream.hasKey() || untrusted.contains(keyOf(stream))
            ? NONE : streamIds.computeIfAbsent(keyOf(stream), k -> streamIds.size());
      }
      objects[p] = new int[process.syncObjectCount()];
      for (int id = 0; id < objects[p].length; id++) {
        SyncObject object = process.syncObject(id);
        objects[p][id] = object == null || !object.isShared() ? NONE
            : objectIds.computeIfAbsent(new ObjectKey(place(process, object), object.kind(),
                object.key()), k -> objectIds.size());
      }
      streamUsers = count(streams[p], streamUsers);
      objectUsers = count(objects[p], objectUsers);
    }
  }

  private static StreamKey keyOf(Stream stream) {
    return new StreamKey(stream.keyHigh(), stream.keyLow());
  }

  /** @return the keys of streams of which one process or more has found that bytes went past */
  private static Set<StreamKey> untrusted(List<ProcessTrace> processes) {
    Set<StreamKey> keys = new HashSet<>();
    for (ProcessTrace process : processes) {
      for (int id = 0; id < process.streamCount(); id++) {
        Stream stream = process.stream(id);
        if (stream != null && !stream.isTrusted()) {
          keys.add(keyOf(stream));
        }
      }
    }
    return keys;
  }

  private static String place(ProcessTrace process, SyncObject object) {
    boolean group = process.pvm() != null && object.kind() == SyncObject.Kind.BARRIER;
    return group ? "pvm " + process.pvm().machine() : process.host();
  }

  private static int[] count(int[] ids, int[] users) {
    int[] counts = users;
    for (int id : Arrays.stream(ids).filter(id -> id != NONE).distinct().toArray()) {
      if (id >= counts.length) {
        counts = Arrays.copyOf(counts, 2 * id);
      }
      counts[id]++;
    }
    return counts;
  }

  /** @return the number of a stream that a process knows as {@code id}, or {@link #NONE} */
  int stream(int process, int id) {
    return id >= 0 && id < streams[process].length ? streams[process][id] : NONE;
  }

  /** @return how many of the processes know a stream */
  int streamUsers(int stream) {
    return streamUsers[stream];
  }

  /** @return the number of an object that others know too, or {@link #NONE} for a private one */
  int object(int process, int id) {
    return id >= 0 && id < objects[process].length ? objects[process][id] : NONE;
  }

  /** @return how many of the processes know a shared object */
  int objectUsers(int object) {
    return objectUsers[object];
  }
}
