package org.parallax.tuning.formula;

import com.ezylang.evalex.EvaluationException;
import com.ezylang.evalex.Expression;
import com.ezylang.evalex.data.EvaluationValue;
import com.ezylang.evalex.functions.AbstractFunction;
import com.ezylang.evalex.functions.FunctionParameter;
import com.ezylang.evalex.parser.Token;

/** A {@link Function} as the library calls it. */
@FunctionParameter(name = "arguments", isVarArg = true)
final class MeasuredFunction extends AbstractFunction {
  /** What is measured now. */
  static final class Now {
    Measurements measured;
  }

  private final Function function;
  private final Now now;

  MeasuredFunction(Function function, Now now) {
    this.function = function;
    this.now = now;
  }

  /** There may be no argument, which the library allows no list of arguments. */
  @Override
  public void validatePreEvaluation(Token token, EvaluationValue... values) {
    // The number of arguments is checked when the formula is read.
  }

  @Override
  public EvaluationValue evaluate(Expression expression, Token token, EvaluationValue... values)
      throws EvaluationException {
    Object[] arguments = new Object[values.length];
    for (int i = 0; i < values.length; i++) {
      arguments[i] = plain(values[i]);
    }
    try {
      return Formula.wrapped(function.of(now.measured, arguments));
    } catch (Function.NoValue e) {
      throw new EvaluationException(token, e.getMessage());
    }
  }

  /** @return a Double, a Boolean or a String */
  static Object plain(EvaluationValue value) {
    if (value.isNumberValue()) {
      return value.getNumberValue().doubleValue();
    }
    return value.isBooleanValue() ? value.getBooleanValue() : (Object) value.getStringValue();
  }
}
