package org.parallax.analysis.table;

import java.util.Comparator;

/** Orders texts as people do: numbers in them by their values, so that {@code ring[2]} is before {@code ring[10]}. */
public enum NaturalOrder implements Comparator<String> {
  INSTANCE;

  @Override
  public int compare(String one, String other) {
    int i = 0;
    int j = 0;
    while (i < one.length() && j < other.length()) {
      int end = numberEnd(one, i);
      int otherEnd = numberEnd(other, j);
      if (end > i && otherEnd > j) {
        int order = compareNumbers(one.substring(i, end), other.substring(j, otherEnd));
        if (order != 0) {
          return order;
        }
        i = end;
        j = otherEnd;
      } else if (one.charAt(i) != other.charAt(j)) {
        return Character.compare(one.charAt(i), other.charAt(j));
      } else {
        i++;
        j++;
      }
    }
    int order = Integer.compare(one.length() - i, other.length() - j);
    return order != 0 ? order : one.compareTo(other);
  }

  private static int numberEnd(String text, int from) {
    int end = from;
    while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
      end++;
    }
    return end;
  }

  private static int compareNumbers(String one, String other) {
    String a = one.substring(leadingZeros(one));
    String b = other.substring(leadingZeros(other));
    return a.length() != b.length() ? Integer.compare(a.length(), b.length()) : a.compareTo(b);
  }

  private static int leadingZeros(String digits) {
    int zeros = 0;
    while (zeros < digits.length() - 1 && digits.charAt(zeros) == '0') {
      zeros++;
    }
    return zeros;
  }
}
