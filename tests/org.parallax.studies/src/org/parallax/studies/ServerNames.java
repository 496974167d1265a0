package org.parallax.studies;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names the processes of PostgreSQL by what they do, as its log tells it, and the clients by what they are. */
final class ServerNames {
  private static final Pattern APPLICATION = Pattern.compile("application_name=([^ ]*)");
  private static final Pattern PROCESS = Pattern.compile("postgres \\(pid ([0-9]+)\\)");

  private final Map<String, String> roles = new HashMap<>();
  private final String host;

  /** @param log of the server, whose lines begin with "PID|KIND|APPLICATION|" */
  ServerNames(List<String> log, String host) {
    this.host = host;
    for (String line : log) {
      String[] parts = line.split("\\|", -1);
      if (parts.length < 3 || !parts[0].matches("[0-9]+")) {
        continue;
      }
      if (!parts[1].equals("client backend")) {
        roles.putIfAbsent(parts[0], parts[1]);
        continue;
      }
      Matcher application = APPLICATION.matcher(line);
      if (application.find()) {
        String name = application.group(1);
        roles.put(parts[0],
            name.equals("producer") || name.equals("consumer") ? "session of the " + name : "other session");
      }
    }
  }

  /** @return a text of a report with these names */
  String in(String text) {
    String named = PROCESS.matcher(text)
        .replaceAll(found -> Matcher.quoteReplacement("server, " + roles.getOrDefault(found.group(1), found.group(1))));
    return named.replace("pgbench@consumer: pgbench", "consumer").replace("pgbench", "producer")
        .replace(host + ":", "");
  }
}
