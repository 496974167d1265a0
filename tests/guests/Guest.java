import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/** Threads, locks, garbage, exceptions, and a child process. */
class Guest {
  private static int deep(int n) {
    return n == 0 ? 0 : 1 + deep(n - 1);
  }

  public static void main(String[] arguments) throws Exception {
    var sums = new ConcurrentHashMap<Integer, LongAdder>();
    var pool = Executors.newFixedThreadPool(4);
    for (int i = 0; i < 2000; i++) {
      int number = i;
      pool.submit(() -> {
        sums.computeIfAbsent(number % 10, k -> new LongAdder()).add(number);
        byte[] garbage = new byte[20_000];
        return garbage.length;
      });
    }
    pool.shutdown();
    while (!pool.awaitTermination(1, java.util.concurrent.TimeUnit.SECONDS)) {
    }
    System.gc();
    System.out.println(sums.values().stream().mapToLong(LongAdder::sum).sum());
    int overflows = 0;
    try {
      deep(100_000_000);
    } catch (StackOverflowError e) {
      overflows++;
    }
    String nothing = overflows > 0 ? null : "";
    try {
      nothing.length();
    } catch (NullPointerException e) {
      overflows++;
    }
    System.out.println("caught " + overflows);
    System.out.println(IntStream.range(0, 1_000_000).parallel().mapToLong(i -> i).sum());
    Process child = new ProcessBuilder("sh", "-c", "exit 9").start();
    System.out.println("child " + child.waitFor());
    System.exit(4 - 1);
  }
}
