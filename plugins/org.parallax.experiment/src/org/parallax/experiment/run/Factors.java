package org.parallax.experiment.run;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.parallax.model.Factor;
import org.parallax.model.ModelFactory;
import org.parallax.model.Treatment;

/** Makes factors from what people write. */
public final class Factors {
  /** The argument of a speed-up of code without what it calls. */
  public static final String EXCLUSIVE = "exclusive";

  private Factors() {}

  /**
   * A factor from {@code [NAME=]PLACE}. Without a name it gets that of its function or line, with the
   * kind of its place if another factor has it.
   *
   * @param others that there are
   * @throws ExperimentException when the name is taken or empty
   */
  public static Factor make(String text, List<Factor> others) throws ExperimentException {
    int equals = text.indexOf('=');
    if (equals >= 0 && text.substring(0, equals).matches(".*\\boperator[^\\w\\s]*")) {
      equals = -1;  // of a function of C++
    }
    String place = text.substring(equals + 1).strip();
    if (place.isEmpty() || place.indexOf('\t') >= 0 || place.indexOf('\n') >= 0) {
      throw new ExperimentException("the factor \"" + text + "\" has no place; a place is "
          + "FUNCTION, exit:FUNCTION, FILE:LINE, before:MPI_Recv@FUNCTION, macro:NAME");
    }
    Set<String> taken = new HashSet<>();
    others.forEach(other -> taken.add(other.getName()));
    String name;
    if (equals >= 0) {
      name = text.substring(0, equals).strip();
      if (name.isEmpty() || taken.contains(name) || !name.matches("[^\\s&,=]+")) {
        throw new ExperimentException(taken.contains(name) ? "two factors have the name " + name
            : "\"" + name + "\" cannot be the name of a factor");
      }
    } else {
      name = freeName(place, taken);
    }
    Factor factor = ModelFactory.eINSTANCE.createFactor();
    factor.setName(name);
    factor.setPlace(place);
    return factor;
  }

  private static String freeName(String place, Set<String> taken) {
    int colon = place.indexOf(':');
    String kind = colon > 0 && place.charAt(Math.min(colon + 1, place.length() - 1)) != ':'
        && place.substring(0, colon).matches("entry|exit|line|before|after|macro")
            ? place.substring(0, colon) : "";
    String rest = kind.isEmpty() ? place : place.substring(colon + 1);
    String simple = rest.replaceAll("[\\s&,=]", "_");
    if (!taken.contains(simple)) {
      return simple;
    }
    String name = (kind.isEmpty() ? "entry" : kind) + ":" + simple;
    String free = name;
    for (int number = 2; taken.contains(free); number++) {
      free = name + "-" + number;
    }
    return free;
  }

  /**
   * Gives a factor its treatment.
   *
   * @param text {@code TREATMENT [SETTING...]}; a lock's is {@code lock:VARIABLE}; a speed-up of code
   *     without what it calls is {@code speedup:exclusive}. One setting means nothing, and that; none
   *     the usual ones
   * @param levels that the factor must have, 0 for as many as there are
   * @throws ExperimentException when it is none, or has the wrong number of settings
   */
  public static void treat(Factor factor, String text, int levels) throws ExperimentException {
    List<String> words = new ArrayList<>(List.of(text.strip().split("[\\s,]+")));
    String name = words.remove(0);
    int colon = name.indexOf(':');
    factor.setTreatment(treatment(colon < 0 ? name : name.substring(0, colon)));
    factor.setArgument(colon < 0 ? null : name.substring(colon + 1));
    if (factor.getTreatment() == Treatment.LOCK && factor.getArgument() == null) {
      throw new ExperimentException(
          "which mutex is locked? Name the program's variable: lock:VARIABLE");
    }
    if (factor.getTreatment() == Treatment.SPEEDUP && factor.getArgument() != null
        && !factor.getArgument().equals(EXCLUSIVE)) {
      throw new ExperimentException("\"" + name + "\" is not a treatment; for a speed-up without "
          + "the callees, use speedup:" + EXCLUSIVE);
    }
    if (words.isEmpty()) {
      words.add(usual(factor.getTreatment()));
    }
    if (words.size() == 1) {
      words.add(0, "0");
    }
    if (levels > 0 && words.size() != levels) {
      throw new ExperimentException("the factor " + factor.getName() + " must have " + levels
          + " settings, but it has " + words.size() + ": " + String.join(" ", words));
    }
    long last = -1;
    for (String word : words) {
      long amount = Amount.parse(factor.getTreatment(), word);
      if (amount <= last) {
        throw new ExperimentException("the settings of " + factor.getName()
            + " must rise: " + String.join(" ", words));
      }
      last = amount;
    }
    factor.setSettings(String.join(" ", words));
  }

  private static Treatment treatment(String name) throws ExperimentException {
    List<String> known = new ArrayList<>();
    for (Treatment treatment : Treatment.values()) {
      String own = treatment.getName().toLowerCase(Locale.ROOT);
      if (own.equals(name)) {
        return treatment;
      }
      known.add(own);
    }
    throw new ExperimentException("there is no treatment \"" + name + "\"; the treatments are: "
        + String.join(", ", known));
  }

  private static String usual(Treatment treatment) {
    return switch (treatment) {
      case LOCK -> "1";
      case MESSAGE -> "1k";
      case BUFFER -> "64k";
      case SPEEDUP -> "50%";
      default -> "10us";
    };
  }
}
