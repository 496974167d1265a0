package org.parallax.tuning.analyzer;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.parallax.tuning.formula.FormulaException;
import org.parallax.tuning.formula.Measurements;
import org.parallax.tuning.json.Json;
import org.parallax.tuning.model.TuningModel;

/** Asks processes, by calls in them, for the states that a model needs to know. */
final class Questions {
  /** A process that does not answer in this time does not reach the safe moment. */
  static final long PATIENCE_NS = 15_000_000_000L;

  private final TuningModel model;
  private final Requests requests;
  private LongConsumer whenAnswered;
  private int answersToCome;
  private int round;
  private long sinceNs;

  Questions(TuningModel model, Requests requests) {
    this.model = model;
    this.requests = requests;
  }

  boolean isOpen() {
    return whenAnswered != null;
  }

  /**
   * Asks all questions of the model; answers become states of the processes.
   *
   * @param measured for arguments of the calls
   * @param trouble hears in words of what cannot be asked
   * @param answered hears the time when all have answered, also at once
   */
  void ask(List<TunedProcess> processes, Measurements measured, long nowNs, Consumer<String> trouble, LongConsumer answered) {
    round++;
    sinceNs = nowNs;
    whenAnswered = answered;
    // The one more keeps answers that come at once from being the last.
    answersToCome = 1;
    int mine = round;
    for (TunedProcess process : List.copyOf(processes)) {
      for (Map.Entry<String, TuningModel.Ask> ask : model.asks().entrySet()) {
        try {
          Map<String, Object> fields = Change.fields(ask.getValue().call(), measured, Map.of());
          answersToCome++;
          requests.ask(process, fields, line -> {
            if (Json.text(line, "state").equals("done") && line.get("result") instanceof Number result) {
              process.states().put(ask.getKey(), result.doubleValue());
            }
            answered(mine, Json.whole(line, "time", nowNs));
          });
        } catch (FormulaException e) {
          trouble.accept("cannot ask for " + ask.getKey() + ": " + e.getMessage());
        }
      }
    }
    answered(mine, nowNs);
  }

  private void answered(int of, long nowNs) {
    if (of == round && --answersToCome == 0) {
      finish(nowNs);
    }
  }

  private void finish(long nowNs) {
    LongConsumer told = whenAnswered;
    whenAnswered = null;
    if (told != null) {
      told.accept(nowNs);
    }
  }

  /** Nobody waits for the answers any more. */
  void cancel() {
    whenAnswered = null;
    round++;
  }

  /** @return whether the patience is over, so that what is assumed otherwise holds */
  boolean isLate(long nowNs) {
    return isOpen() && nowNs - sinceNs > PATIENCE_NS;
  }

  /** Goes on without the answers that have not come. */
  void giveUp(long nowNs) {
    round++;
    finish(nowNs);
  }
}
