package org.parallax.record.profiles;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;

/** Sentences of what is wrong with a profile; of many only the first and how many more there are. */
final class WarningList extends AbstractList<String> {
  private static final int MOST = 20;

  private final List<String> first = new ArrayList<>();
  private long more;

  @Override
  public boolean add(String sentence) {
    if (first.contains(sentence)) {
      return false;
    }
    if (first.size() < MOST) {
      return first.add(sentence);
    }
    more++;
    return true;
  }

  @Override
  public String get(int index) {
    return first.get(index);
  }

  @Override
  public int size() {
    return first.size();
  }

  List<String> sentences() {
    List<String> warnings = new ArrayList<>(first);
    if (more > 0) {
      warnings.add("the profile has " + more + " more faults like these");
    }
    return warnings;
  }
}
