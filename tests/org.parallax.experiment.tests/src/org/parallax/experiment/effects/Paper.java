package org.parallax.experiment.effects;

import java.util.ArrayList;
import java.util.List;
import org.parallax.analysis.table.Unit;
import org.parallax.experiment.design.Design;

/** What Lyon, Snelick and Kacker print (NISTIR 4859, 1992). */
final class Paper {
  static final List<String> QUICKSORT =
      List.of("s_lock", "push", "pop", "swap", "bubble", "code1");

  /** Table II: trial, settings of f1 to f6, response. */
  private static final String TABLE_II = """
      1 ------ 19.11
      2 +---+- 19.99
      3 -+--++ 21.73
      4 ++---+ 26.51
      5 --+-++ 21.91
      6 +-+--+ 26.42
      7 -++--- 21.51
      8 +++-+- 26.60
      9 ---+-+ 72.75
      10 +--+++ 72.97
      11 -+-++- 73.32
      12 ++-+-- 72.66
      13 --+++- 73.49
      14 +-++-- 73.13
      15 -+++-+ 72.52
      16 ++++++ 73.81
      """;

  /** Table II: the effect of each row, with the first of its sources. */
  static final String EFFECTS_II = """
      1.98 s_lock
      1.12 push
      0.66 s_lock&push
      1.30 pop
      0.66 s_lock&pop
      -1.24 push&pop
      -0.10 s_lock&push&pop
      50.10 swap
      -1.84 s_lock&swap
      -1.12 push&swap
      -0.46 s_lock&push&swap
      -0.98 pop&swap
      -0.32 s_lock&pop&swap
      1.10 push&pop&swap
      0.74 s_lock&push&pop&swap
      """;

  static final List<String> IMPROVED = List.of("s_lock", "push", "pop", "bubblesort", "code1");
  static final double MEAN_II_B = 27.52;

  /** Table II-B; the four-way interaction is that of code1. */
  static final String EFFECTS_II_B = """
      6.50 s_lock
      4.26 push
      1.36 s_lock&push
      4.46 pop
      1.36 s_lock&pop
      .48 push&pop
      -.46 s_lock&push&pop
      -.08 bubblesort
      -.36 s_lock&bubblesort
      -.72 push&bubblesort
      .80 s_lock&push&bubblesort
      -.58 pop&bubblesort
      .54 s_lock&pop&bubblesort
      1.28 push&pop&bubblesort
      4.46 code1
      """;

  static final List<String> NODE = List.of("a", "b", "c", "d", "e", "f", "g", "h");
  static final double MEAN_III = 26.75;

  /** Table III. */
  static final String EFFECTS_III = """
      -2.25 a
      -2.5 b
      2.75 ab+cg+dh+ef
      18.5 c
      2.25 ac+bg+df+eh
      2.5 ag+bc+de+fh
      -2.75 g
      3 d
      -2.75 ad+bh+cf+eg
      -2.5 ah+bd+ce+fg
      2.75 h
      -2.5 af+be+cd+gh
      3.25 f
      3 e
      -2.25 ae+bf+ch+dg
      """;

  private Paper() {}

  /** Table II, one averaged trial for each run. */
  static Responses tableII() {
    List<String> lines = TABLE_II.lines().toList();
    int[][] settings = new int[lines.size()][];
    List<Observation> observations = new ArrayList<>();
    for (int run = 0; run < settings.length; run++) {
      String[] fields = lines.get(run).split(" ");
      settings[run] = fields[1].chars().map(sign -> sign == '+' ? 1 : -1).toArray();
      observations.add(new Observation(run, 0, 0, run, Double.parseDouble(fields[2])));
    }
    return new Responses(new Design("2^(6-2) IV", 2, settings), QUICKSORT, "elapsed", Unit.NUMBER,
        observations, List.of());
  }
}
