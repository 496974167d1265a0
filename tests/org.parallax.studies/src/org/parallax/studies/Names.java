package org.parallax.studies;

import java.util.Arrays;
import java.util.List;

/** Names of C++ functions, made shorter. */
final class Names {
  private Names() {
  }

  /** @return the function's own name, without arguments, template arguments and scopes */
  static String base(String name) {
    return name.replaceFirst("(?s)[<(].*", "").replaceFirst("(?s).*::", "");
  }

  /** @return the name with its scopes, without template arguments, arguments and the type of the result */
  static String qualified(String name) {
    String text = name.replace("operator<<", "operator\001");
    for (String before = ""; !before.equals(text);) {
      before = text;
      text = text.replaceAll("<[^<>]*>", "");
    }
    return text.replaceFirst("(?s)[(].*", "").replaceFirst("(?s).* ", "").replace("\001", "<<");
  }

  /** @return the frames of a call path as reports write it, the outermost first */
  static List<String> frames(String path) {
    return Arrays.asList(path.split(";", -1));
  }
}
