package org.parallax.analysis.replay;

import java.util.HashMap;
import java.util.Map;
import org.parallax.trace.Communicator;
import org.parallax.trace.ProcessTrace;

/** The keys by which interactions of different threads and processes find each other. */
final class Keys {
  private static final long MESSAGE = 1L << 60;
  private static final long LOCK = 2L << 60;
  private static final long CONDITION = 3L << 60;
  private static final long THREAD = 4L << 60;
  private static final long BARRIER = 5L << 60;
  private static final long COLLECTIVE = 6L << 60;
  private static final long PROCESS = 7L << 60;
  private static final long WINDOW = 8L << 60;
  private static final long PARTITIONED = 9L << 60;
  private static final long SHARED = 1L << 59;
  private static final long NUMBERED_LOCK = 1L << 58;

  /** The owner of objects that processes share. */
  static final long ALL_PROCESSES = SHARED;

  private record GlobalId(long job, long communicator) {}

  private final Map<GlobalId, Integer> communicators = new HashMap<>();

  /** @return a small number that all members of a communicator share */
  int communicator(ProcessTrace process, Communicator communicator) {
    long job = process.mpi() == null || communicator.isBetweenJobs() ? 0 : process.mpi().job();
    return communicators.computeIfAbsent(
        new GlobalId(job, communicator.globalId()), k -> communicators.size());
  }

  static long message1(int communicator, int tag) {
    return MESSAGE | (long) communicator << 32 | tag & 0xffffffffL;
  }

  static long partitioned(int communicator, int tag) {
    return PARTITIONED | (long) communicator << 32 | tag & 0xffffffffL;
  }

  static long message2(int source, int destination) {
    return (long) source << 32 | destination & 0xffffffffL;
  }

  /**
   * @param owner of the object: a process, or {@link #ALL_PROCESSES} for what they share
   */
  static long lock(long owner) {
    return LOCK | owner;
  }

  /** Of a lock that several can hold: its releases are on a board. */
  static long readWriteLock(long owner) {
    return LOCK | NUMBERED_LOCK | owner;
  }

  static long condition(long owner) {
    return CONDITION | owner;
  }

  static long processStart() {
    return PROCESS;
  }

  static long processEnd() {
    return PROCESS | 1L << 32;
  }

  static long threadStart(int process) {
    return THREAD | process;
  }

  static long threadEnd(int process) {
    return THREAD | 1L << 32 | process;
  }

  static long barrier(long owner, int object) {
    return BARRIER | (owner & SHARED) | (owner & 0x7ffffff) << 32 | object;
  }

  /** Posts to an origin, or completes to a target, whose ranks {@link #message2} takes. */
  static long post(int window) {
    return WINDOW | window;
  }

  static long complete(int window) {
    return WINDOW | 1L << 32 | window;
  }

  /** Releases of the locks of a window. */
  static long release(int window) {
    return WINDOW | 2L << 32 | window;
  }

  /** When a process begins and ends calls of MPI. */
  static long progress() {
    return WINDOW | 3L << 32;
  }

  static long collective(int communicator) {
    return COLLECTIVE | communicator;
  }
}
