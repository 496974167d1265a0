package org.parallax.tuning.formula;

import com.ezylang.evalex.BaseException;
import com.ezylang.evalex.EvaluationException;
import com.ezylang.evalex.Expression;
import com.ezylang.evalex.config.ExpressionConfiguration;
import com.ezylang.evalex.config.MapBasedFunctionDictionary;
import com.ezylang.evalex.data.EvaluationValue;
import com.ezylang.evalex.parser.ASTNode;
import com.ezylang.evalex.parser.ParseException;
import com.ezylang.evalex.parser.Token.TokenType;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.parallax.analysis.text.NearNames;

/**
 * A formula of a tuning model: numbers, texts, comparisons, {@code && || !}, {@code if(condition, a, b)}, functions of
 * arithmetic and those of {@link Function}. It can neither call anything of Java nor loop nor assign. Not for several
 * threads at once.
 */
public final class Formula {
  private static final ExpressionConfiguration STANDARD = ExpressionConfiguration.defaultConfiguration();
  /** Those of the library that are useful here; none of them has a state or reads the clock. */
  private static final List<String> ARITHMETIC = List.of("abs", "ceiling", "floor", "if", "log", "log10", "max", "min", "round",
      "sqrt");
  private static final int MAX_LENGTH = 1000;

  private final String text;
  private final Expression expression;
  private final MeasuredFunction.Now now;

  private Formula(String text, Expression expression, MeasuredFunction.Now now) {
    this.text = text;
    this.expression = expression;
    this.now = now;
  }

  /**
   * Reads a formula.
   *
   * @throws FormulaException when it is wrong, with the place and what was expected
   */
  public static Formula parse(String text, Names names) throws FormulaException {
    if (text.length() > MAX_LENGTH) {
      throw new FormulaException(0, "a formula has at most " + MAX_LENGTH + " characters");
    }
    MeasuredFunction.Now now = new MeasuredFunction.Now();
    Expression expression = new Expression(text, configuration(now));
    try {
      ASTNode tree = expression.getAbstractSyntaxTree();
      check(tree, names);
      for (String point : names.points().keySet()) {
        expression.with(point, point);
      }
      return new Formula(text, expression, now);
    } catch (ParseException e) {
      throw wrong(e, text);
    } catch (RuntimeException e) {
      // The library throws such where brackets and commas do not match.
      throw new FormulaException(0, "not understood; expected a formula, as mean(sent) > 4096");
    }
  }

  private static ExpressionConfiguration configuration(MeasuredFunction.Now now) {
    MapBasedFunctionDictionary functions = new MapBasedFunctionDictionary();
    for (String name : ARITHMETIC) {
      functions.addFunction(name, STANDARD.getFunctionDictionary().getFunction(name));
    }
    for (Function function : Function.values()) {
      functions.addFunction(function.word(), new MeasuredFunction(function, now));
    }
    return ExpressionConfiguration.builder().functionDictionary(functions).mathContext(MathContext.DECIMAL64)
        .implicitMultiplicationAllowed(false).arraysAllowed(false).structuresAllowed(false)
        .singleQuoteStringLiteralsAllowed(true).build();
  }

  /** The library's messages name no near ones. */
  private static FormulaException wrong(BaseException e, String text) {
    int position = Math.max(0, Math.min(text.length(), e.getStartPosition() - 1));
    String message = e.getMessage() == null ? "not understood" : e.getMessage();
    String token = e.getTokenString();
    if (message.startsWith("Undefined function") && token != null) {
      return new FormulaException(position, "there is no function " + token + NearNames.hint(token, functions()));
    }
    return new FormulaException(position, message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1));
  }

  private static Collection<String> functions() {
    TreeSet<String> all = new TreeSet<>(ARITHMETIC);
    for (Function function : Function.values()) {
      all.add(function.word());
    }
    return all;
  }

  private static void check(ASTNode node, Names names) throws FormulaException {
    String word = node.getToken().getValue();
    int position = Math.max(0, node.getToken().getStartPosition() - 1);
    if (node.getToken().getType() == TokenType.VARIABLE_OR_CONSTANT) {
      if (names.points().containsKey(word)) {
        throw new FormulaException(position, word + " is a measure point; use a function of it, as count(" + word + ")");
      }
      if (!names.values().contains(word) && !List.of("true", "false").contains(word)) {
        List<String> all = new ArrayList<>(names.values());
        all.addAll(names.points().keySet());
        throw new FormulaException(position, "there is no name " + word + NearNames.hint(word, all));
      }
    }
    List<ASTNode> parameters = node.getParameters();
    Function function = node.getToken().getType() == TokenType.FUNCTION ? function(word) : null;
    if (function != null) {
      String fault = function.fault(parameters.size());
      if (fault != null) {
        throw new FormulaException(position, fault);
      }
      if (function.isOfPoint()) {
        checkPoint(function, parameters, names);
        parameters = parameters.subList(1, parameters.size());
      } else if (function.ownArgument() >= 0) {
        checkOwn(function, parameters.get(function.ownArgument()), names);
      }
    }
    for (ASTNode parameter : parameters) {
      check(parameter, names);
    }
  }

  private static void checkOwn(Function function, ASTNode name, Names names) throws FormulaException {
    String own = name.getToken().getValue();
    if (name.getToken().getType() != TokenType.STRING_LITERAL || !names.own().contains(own)) {
      throw new FormulaException(Math.max(0, name.getToken().getStartPosition() - 1), function.word()
          + " takes a formula of own in quotes, and there is none called " + own + NearNames.hint(own, names.own()));
    }
  }

  private static void checkPoint(Function function, List<ASTNode> parameters, Names names) throws FormulaException {
    String point = parameters.get(0).getToken().getValue();
    int position = Math.max(0, parameters.get(0).getToken().getStartPosition() - 1);
    if (!names.points().containsKey(point) || parameters.get(0).getToken().getType() != TokenType.VARIABLE_OR_CONSTANT) {
      throw new FormulaException(position, function.word() + " takes a measure point, and there is none called " + point
          + NearNames.hint(point, names.points().keySet()));
    }
    if (function.needsSizes(parameters.size()) && !names.points().get(point)) {
      throw new FormulaException(position, function.word() + " needs the sizes of " + point
          + "; measure this point with \"key: size\"");
    }
  }

  private static Function function(String word) {
    for (Function function : Function.values()) {
      if (function.word().equalsIgnoreCase(word)) {
        return function;
      }
    }
    return null;
  }

  /**
   * Its value: a Double, a Boolean or a String.
   *
   * @param values those of names
   * @throws FormulaException when it has no value, as at a division by zero or the mean of nothing
   */
  public Object value(Measurements measured, Map<String, Object> values) throws FormulaException {
    now.measured = measured;
    try {
      for (Map.Entry<String, Object> value : values.entrySet()) {
        expression.with(value.getKey(), value.getValue());
      }
      return MeasuredFunction.plain(expression.evaluate());
    } catch (EvaluationException | ParseException e) {
      throw wrong(e, text);
    } catch (RuntimeException e) {
      // The library lets those of numbers that are too large through, among others.
      throw new FormulaException(0, "no value: " + e.getMessage());
    } finally {
      now.measured = null;
    }
  }

  /**
   * Its value, which must be a number.
   *
   * @throws FormulaException when it is not
   */
  public double number(Measurements measured, Map<String, Object> values) throws FormulaException {
    if (value(measured, values) instanceof Double number) {
      return number;
    }
    throw new FormulaException(0, "the formula is no number: " + text);
  }

  /**
   * Its value, which must be true or false.
   *
   * @throws FormulaException when it is not
   */
  public boolean holds(Measurements measured, Map<String, Object> values) throws FormulaException {
    if (value(measured, values) instanceof Boolean holds) {
      return holds;
    }
    throw new FormulaException(0, "the formula is neither true nor false: " + text);
  }

  /** @return as it is written */
  @Override
  public String toString() {
    return text;
  }

  /** @return a value as the library has it */
  static EvaluationValue wrapped(Object value) {
    return EvaluationValue.of(value, STANDARD);
  }
}
