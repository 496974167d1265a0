package org.parallax.tuning.analyzer;

import java.util.Map;

/**
 * The condition of a model for a process or the run, as it was judged last.
 *
 * @param model the name of the model
 * @param subject the process or the run
 * @param when the condition, as the model states it
 * @param judgedNs when it was judged, since the start of the session; below 0 before the first judgement
 * @param holds whether it held then
 * @param values the named formulas of the model, with their values then
 * @param state what the analyzer does about it, in words
 */
public record Condition(String model, String subject, String when, long judgedNs, boolean holds, Map<String, Object> values,
    String state) {
}
