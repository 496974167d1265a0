/**
 */
package org.parallax.model;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import org.eclipse.emf.common.util.Enumerator;

/**
 * <!-- begin-user-doc -->
 * A representation of the literals of the enumeration '<em><b>Response Kind</b></em>',
 * and utility methods for working with them.
 * <!-- end-user-doc -->
 * @see org.parallax.model.ModelPackage#getResponseKind()
 * @model
 * @generated
 */
public enum ResponseKind implements Enumerator {
	/**
	 * The '<em><b>ELAPSED</b></em>' literal object.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * From the start of the command to its end.
	 * <!-- end-model-doc -->
	 * @see #ELAPSED_VALUE
	 * @generated
	 * @ordered
	 */
	ELAPSED(0, "ELAPSED", "ELAPSED"),

	/**
	 * The '<em><b>OUTPUT</b></em>' literal object.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * A number that the program prints.
	 * <!-- end-model-doc -->
	 * @see #OUTPUT_VALUE
	 * @generated
	 * @ordered
	 */
	OUTPUT(1, "OUTPUT", "OUTPUT"),

	/**
	 * The '<em><b>CRITICAL PATH</b></em>' literal object.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * The length of the critical path; the trials are traced.
	 * <!-- end-model-doc -->
	 * @see #CRITICAL_PATH_VALUE
	 * @generated
	 * @ordered
	 */
	CRITICAL_PATH(2, "CRITICAL_PATH", "CRITICAL_PATH"),

	/**
	 * The '<em><b>METRIC</b></em>' literal object.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * A metric of the whole trace; the trials are traced.
	 * <!-- end-model-doc -->
	 * @see #METRIC_VALUE
	 * @generated
	 * @ordered
	 */
	METRIC(3, "METRIC", "METRIC"),

	/**
	 * The '<em><b>CPU</b></em>' literal object.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * Processor time of the command and what it started.
	 * <!-- end-model-doc -->
	 * @see #CPU_VALUE
	 * @generated
	 * @ordered
	 */
	CPU(4, "CPU", "CPU");

	/**
	 * The '<em><b>ELAPSED</b></em>' literal value.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * From the start of the command to its end.
	 * <!-- end-model-doc -->
	 * @see #ELAPSED
	 * @model
	 * @generated
	 * @ordered
	 */
	public static final int ELAPSED_VALUE = 0;

	/**
	 * The '<em><b>OUTPUT</b></em>' literal value.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * A number that the program prints.
	 * <!-- end-model-doc -->
	 * @see #OUTPUT
	 * @model
	 * @generated
	 * @ordered
	 */
	public static final int OUTPUT_VALUE = 1;

	/**
	 * The '<em><b>CRITICAL PATH</b></em>' literal value.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * The length of the critical path; the trials are traced.
	 * <!-- end-model-doc -->
	 * @see #CRITICAL_PATH
	 * @model
	 * @generated
	 * @ordered
	 */
	public static final int CRITICAL_PATH_VALUE = 2;

	/**
	 * The '<em><b>METRIC</b></em>' literal value.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * A metric of the whole trace; the trials are traced.
	 * <!-- end-model-doc -->
	 * @see #METRIC
	 * @model
	 * @generated
	 * @ordered
	 */
	public static final int METRIC_VALUE = 3;

	/**
	 * The '<em><b>CPU</b></em>' literal value.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * Processor time of the command and what it started.
	 * <!-- end-model-doc -->
	 * @see #CPU
	 * @model
	 * @generated
	 * @ordered
	 */
	public static final int CPU_VALUE = 4;

	/**
	 * An array of all the '<em><b>Response Kind</b></em>' enumerators.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	private static final ResponseKind[] VALUES_ARRAY =
		new ResponseKind[] {
			ELAPSED,
			OUTPUT,
			CRITICAL_PATH,
			METRIC,
			CPU,
		};

	/**
	 * A public read-only list of all the '<em><b>Response Kind</b></em>' enumerators.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	public static final List<ResponseKind> VALUES = Collections.unmodifiableList(Arrays.asList(VALUES_ARRAY));

	/**
	 * Returns the '<em><b>Response Kind</b></em>' literal with the specified literal value.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param literal the literal.
	 * @return the matching enumerator or <code>null</code>.
	 * @generated
	 */
	public static ResponseKind get(String literal) {
		for (int i = 0; i < VALUES_ARRAY.length; ++i) {
			ResponseKind result = VALUES_ARRAY[i];
			if (result.toString().equals(literal)) {
				return result;
			}
		}
		return null;
	}

	/**
	 * Returns the '<em><b>Response Kind</b></em>' literal with the specified name.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param name the name.
	 * @return the matching enumerator or <code>null</code>.
	 * @generated
	 */
	public static ResponseKind getByName(String name) {
		for (int i = 0; i < VALUES_ARRAY.length; ++i) {
			ResponseKind result = VALUES_ARRAY[i];
			if (result.getName().equals(name)) {
				return result;
			}
		}
		return null;
	}

	/**
	 * Returns the '<em><b>Response Kind</b></em>' literal with the specified integer value.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the integer value.
	 * @return the matching enumerator or <code>null</code>.
	 * @generated
	 */
	public static ResponseKind get(int value) {
		switch (value) {
			case ELAPSED_VALUE: return ELAPSED;
			case OUTPUT_VALUE: return OUTPUT;
			case CRITICAL_PATH_VALUE: return CRITICAL_PATH;
			case METRIC_VALUE: return METRIC;
			case CPU_VALUE: return CPU;
		}
		return null;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	private final int value;

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	private final String name;

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	private final String literal;

	/**
	 * Only this class can construct instances.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	private ResponseKind(int value, String name, String literal) {
		this.value = value;
		this.name = name;
		this.literal = literal;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public int getValue() {
	  return value;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public String getName() {
	  return name;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public String getLiteral() {
	  return literal;
	}

	/**
	 * Returns the literal value of the enumerator, which is its string representation.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public String toString() {
		return literal;
	}

} //ResponseKind
