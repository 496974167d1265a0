package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.testing.QuietMachine;

/**
 * Waits by objects of the kernel, between threads and between processes. A busy machine can keep a thread from going on
 * when what it waited for is there, or from beginning to wait: waits can be shorter than is planted, never longer.
 */
class PlantedKernelWaitsTest {
  /** The least that a wait is of its calls, and that the work is of the wait. */
  private static final double LEAST_SHARE = 0.6;
  /** Between two reads of a clock, in the program and in the agent. */
  private static final long READS_NS = 200_000;

  @TempDir Path directory;

  /** `condition` and `pipe` do the same by other mechanisms. */
  @ParameterizedTest
  @CsvSource({"eventfd, threads, eventfd wait", "eventfd, processes, eventfd wait", "tokens, processes, eventfd wait",
      "poll, processes, eventfd wait", "select, threads, eventfd wait", "epoll, threads, eventfd wait",
      "semop, threads, semaphore wait", "semop, processes, semaphore wait", "zero, processes, semaphore wait",
      "setval, processes, semaphore wait",
      "msgrcv, threads, message queue wait", "msgrcv, processes, message queue wait",
      "msgsnd, processes, message queue full", "mq_receive, processes, message queue wait",
      "mq_send, threads, message queue full", "mq_send, processes, message queue full",
      "flock, threads, file lock contention", "flock, processes, file lock contention",
      "fcntl, processes, file lock contention", "ofd, threads, file lock contention",
      "lockf, processes, file lock contention", "close, processes, file lock contention",
      "end, processes, file lock contention",
      "sigwait, threads, signal wait", "sigwaitinfo, processes, signal wait", "sigtimedwait, processes, signal wait",
      "sigsuspend, processes, signal wait", "pause, threads, signal wait", "interrupted, processes, signal wait",
      "handler, processes, signal wait", "handler, threads, signal wait", "thread_kill, threads, signal wait",
      "group, processes, signal wait", "killpg, processes, signal wait", "group_poll, processes, signal wait",
      "once, threads, futex wait", "condition, threads, condition wait", "pipe, threads, stream wait",
      "pipe, processes, stream wait"})
  void waitsAreForTheWorkOfTheOther(String way, String between, String state) throws Exception {
    QuietMachine.measure(attempt -> {
      try (Recording run = record(attempt, way, between, way.equals("end") ? "1" : "3")) {
        Table table = run.waits(Level.THREAD, true);
        long told = told(table, state);
        long late = Recording.sum(table, "time", row -> row.name().equals(state)
            && value(table, row, "originPath").toString().contains("late_work"));  // also while it is off CPU
        double waited = 1e9 * run.printed().get("waits");
        assertEquals(List.of(), table.warnings());
        QuietMachine.times(() -> assertTrue(
            told > LEAST_SHARE * waited && told < waited + READS_NS && late > LEAST_SHARE * told,
            told + " of " + waited + " ns, " + late + " of these for late_work: " + table));
      }
    });
  }

  /** A wait that no recorded thread has ended is a wait all the same. */
  @ParameterizedTest
  @CsvSource({"timerfd, timer wait", "timerfd_poll, timer wait", "timer, timer wait", "alarm, timer wait", "alarm_child, timer wait",
      "stale, timer wait",
      "futex_limit, timer wait", "sem_limit, timer wait", "mq_limit, timer wait",
      "sig_limit, timer wait", "cond_limit, timer wait", "lock_limit, timer wait", "inotify, unknown waker",
      "outside_pipe, unknown waker", "outside_end, unknown waker",
      "eventfd_full, unknown waker"})
  void waitsThatNoThreadEndedHaveNoCause(String way, String state) throws Exception {
    QuietMachine.measure(attempt -> {
      try (Recording run = record(attempt, way, "processes", "3")) {
        Table table = run.waits(Level.THREAD, true);
        double waited = 1e9 * run.printed().get("waits");
        long told = told(table, state);
        assertEquals(List.of(), table.warnings());
        assertTrue(table.rows().stream().filter(row -> row.name().equals(state))
            .allMatch(row -> value(table, row, "originProcedure").equals("")), table.toString());
        QuietMachine.times(() -> assertEquals(waited, told, 0.05 * waited + READS_NS, table.toString()));
      }
    });
  }

  private Recording record(int attempt, String... arguments) throws Exception {
    return Recording.of(directory.resolve("attempt" + attempt), List.of(), command(arguments));
  }

  private static List<String> command(String... arguments) {
    List<String> command = new ArrayList<>(List.of(Recording.program("kernel_waits")));
    command.addAll(List.of(arguments));
    return command;
  }

  private static long told(Table table, String state) {
    return Recording.sum(table, "time", row -> row.name().equals(state));
  }

  private static Object value(Table table, Row row, String column) {
    Object value = row.values().get(table.column(column));
    return value == null ? "" : value;
  }
}
