package org.parallax.experiment.design;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The letters that stand for factors in the literature: A to Z without I, which is the identity,
 * then a to z without i.
 */
public final class Letters {
  private static final String ALL = "ABCDEFGHJKLMNOPQRSTUVWXYZabcdefghjklmnopqrstuvwxyz";

  private Letters() {
  }

  /** @return one name for each factor: its letter, from the 51st {@code F51} and so on */
  public static List<String> names(int factors) {
    return IntStream.range(0, factors)
        .mapToObj(i -> i < ALL.length() ? ALL.substring(i, i + 1) : "F" + (i + 1)).toList();
  }

  /**
   * The factor of a letter. Case is ignored where there are too few factors for it to matter.
   *
   * @return the factor's index, or -1 when none of the factors has this letter
   */
  static int indexOf(char letter, int factors) {
    int index = ALL.indexOf(letter);
    if (index >= ALL.length() / 2 && factors <= ALL.length() / 2) {
      index -= ALL.length() / 2;
    }
    return index < factors ? index : -1;
  }
}
