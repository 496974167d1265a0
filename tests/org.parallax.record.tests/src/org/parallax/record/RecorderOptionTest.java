package org.parallax.record;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The options that launches and sessions hand on are those that the recorder has. */
class RecorderOptionTest {
  private static final Pattern HELP_LINE =
      Pattern.compile("(?m)^  (--?[a-z-]+)(?:\\[=([A-Z]+)\\]| ([A-Za-z:|]+))?(?:  |$|,)");
  /** About one run only. */
  private static final Set<String> OF_ONE_RUN = Set.of("-o", "--quiet", "--verbose", "--times",
      "--perturb", "--no-trace", "--dilation", "--no-agent", "--no-calibration", "--attach", "--for",
      "--detach", "--list", "--help");

  @Test
  void theyAreThoseOfTheRecordersHelp() throws Exception {
    Process recorder =
        new ProcessBuilder(Launches.AGENT.recorder().toString(), "--help").start();
    String help =
        new String(recorder.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Map<String, String> told = new TreeMap<>();
    for (Matcher matcher = HELP_LINE.matcher(help); matcher.find(); ) {
      String value = matcher.group(2) != null ? "=" + matcher.group(2)
          : matcher.group(3) == null ? "" : matcher.group(3);
      told.put(matcher.group(1), value);
    }
    OF_ONE_RUN.forEach(told::remove);
    Map<String, String> known = new LinkedHashMap<>();
    RecorderOption.ALL.forEach(option ->
        known.put(option.name(), (option.usual().isEmpty() ? "" : "=") + option.value()));
    assertEquals(told, new TreeMap<>(known), help);
  }
}
