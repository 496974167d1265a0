package org.parallax.experiment.effects;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Orders of observations that are exchanged within their blocks only: all of them when they are
 * few, else some at random and the one that was observed.
 */
final class Permutations {
  private static final int MOST = 50_000;
  private static final int DRAWN = 2_000;

  private final int size;
  private final List<int[]> blocks;
  private final long seed;
  private final boolean exact;

  Permutations(int[] blockOfEach, long seed) {
    size = blockOfEach.length;
    this.seed = seed;
    blocks = Arrays.stream(blockOfEach).distinct().mapToObj(block ->
        IntStream.range(0, size).filter(i -> blockOfEach[i] == block).toArray()).toList();
    double count = 1;
    for (int[] block : blocks) {
      for (int i = 2; i <= block.length; i++) {
        count *= i;
      }
    }
    exact = count <= MOST;
  }

  /** @return whether all orders are gone through */
  boolean isExact() {
    return exact;
  }

  /** Gives each order: observation {@code i} takes the place of {@code order[i]}. */
  void forEach(Consumer<int[]> consumer) {
    int[] order = IntStream.range(0, size).toArray();
    if (exact) {
      enumerate(order, 0, consumer);
      return;
    }
    consumer.accept(order);
    Random random = new Random(seed);
    for (int drawn = 1; drawn < DRAWN; drawn++) {
      for (int[] block : blocks) {
        for (int i = block.length - 1; i > 0; i--) {
          swap(order, block[i], block[random.nextInt(i + 1)]);
        }
      }
      consumer.accept(order);
    }
  }

  private void enumerate(int[] order, int block, Consumer<int[]> consumer) {
    if (block == blocks.size()) {
      consumer.accept(order);
    } else {
      enumerate(order, block, 0, consumer);
    }
  }

  private void enumerate(int[] order, int block, int at, Consumer<int[]> consumer) {
    int[] own = blocks.get(block);
    if (at >= own.length - 1) {
      enumerate(order, block + 1, consumer);
      return;
    }
    for (int i = at; i < own.length; i++) {
      swap(order, own[at], own[i]);
      enumerate(order, block, at + 1, consumer);
      swap(order, own[at], own[i]);
    }
  }

  private static void swap(int[] order, int a, int b) {
    int kept = order[a];
    order[a] = order[b];
    order[b] = kept;
  }

  /** The blocks of observations. */
  static int[] blocks(Responses responses) {
    return responses.observations().stream().mapToInt(Observation::block).toArray();
  }
}
