package org.parallax.experiment.run;

import java.util.List;
import java.util.Locale;
import org.parallax.model.ModelFactory;
import org.parallax.model.Response;
import org.parallax.model.ResponseKind;

/**
 * Responses as people write them: {@code elapsed}, {@code metric:NAME}, {@code output:REGEX}, with a
 * name of their own as in {@code rate=output:REGEX}.
 */
public final class ResponseText {
  /** What there is; those with a colon need more behind it. */
  public static final List<String> KINDS =
      List.of("elapsed", "cpu", "critical-path", "metric:", "output:");

  private ResponseText() {}

  /**
   * Reads a response.
   *
   * @throws ExperimentException when it is none
   */
  public static Response parse(String text) throws ExperimentException {
    int colon = text.indexOf(':');
    String head = (colon < 0 ? text : text.substring(0, colon)).strip();
    int equals = head.indexOf('=');
    String kind = head.substring(equals + 1);
    String argument = colon < 0 ? "" : text.substring(colon + 1).strip();
    Response response = ModelFactory.eINSTANCE.createResponse();
    boolean named = kind.equals("metric") || kind.equals("output");
    if (!KINDS.contains(named ? kind + ":" : kind)) {
      throw new ExperimentException("there is no response \"" + kind
          + "\"; the responses are: elapsed, cpu, critical-path, metric:NAME, output:REGEX");
    }
    if (named == argument.isEmpty()) {
      throw new ExperimentException(named
          ? "the response " + kind + " needs a value after a colon"
          : "the response " + kind + " takes no value");
    }
    response.setKind(ResponseKind.getByName(kind.toUpperCase(Locale.ROOT).replace('-', '_')));
    response.setName(equals > 0 ? head.substring(0, equals)
        : kind.equals("metric") ? argument : kind);
    response.setUnit(named ? "" : "ns");
    response.setArgument(named ? argument : null);
    if (response.getKind() == ResponseKind.OUTPUT) {
      TrialResponses.pattern(response);
    }
    return response;
  }

  /** @return text that {@link #parse} reads as this response */
  public static String of(Response response) {
    String kind = response.getKind().getName().toLowerCase(Locale.ROOT).replace('_', '-');
    String usual = response.getKind() == ResponseKind.METRIC ? response.getArgument() : kind;
    return (response.getName().equals(usual) ? "" : response.getName() + "=") + kind
        + (response.getArgument() == null ? "" : ":" + response.getArgument());
  }
}
