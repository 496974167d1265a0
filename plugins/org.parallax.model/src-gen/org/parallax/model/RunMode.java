/**
 */
package org.parallax.model;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import org.eclipse.emf.common.util.Enumerator;

/**
 * <!-- begin-user-doc -->
 * A representation of the literals of the enumeration '<em><b>Run Mode</b></em>',
 * and utility methods for working with them.
 * <!-- end-user-doc -->
 * <!-- begin-model-doc -->
 * How a run takes part in a session (Irvin and Miller 1993, section 4.2).
 * <!-- end-model-doc -->
 * @see org.parallax.model.ModelPackage#getRunMode()
 * @model
 * @generated
 */
public enum RunMode implements Enumerator {
	/**
	 * The '<em><b>REPLAY</b></em>' literal object.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * An old trace, at the time at which it was recorded.
	 * <!-- end-model-doc -->
	 * @see #REPLAY_VALUE
	 * @generated
	 * @ordered
	 */
	REPLAY(0, "REPLAY", "REPLAY"),

	/**
	 * The '<em><b>ACTIVE</b></em>' literal object.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * A command that is run anew together with the other active ones.
	 * <!-- end-model-doc -->
	 * @see #ACTIVE_VALUE
	 * @generated
	 * @ordered
	 */
	ACTIVE(1, "ACTIVE", "ACTIVE"),

	/**
	 * The '<em><b>COMPARISON</b></em>' literal object.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * An old trace whose time base is shifted so that it begins with the others. It is no part of the workload.
	 * <!-- end-model-doc -->
	 * @see #COMPARISON_VALUE
	 * @generated
	 * @ordered
	 */
	COMPARISON(2, "COMPARISON", "COMPARISON");

	/**
	 * The '<em><b>REPLAY</b></em>' literal value.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * An old trace, at the time at which it was recorded.
	 * <!-- end-model-doc -->
	 * @see #REPLAY
	 * @model
	 * @generated
	 * @ordered
	 */
	public static final int REPLAY_VALUE = 0;

	/**
	 * The '<em><b>ACTIVE</b></em>' literal value.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * A command that is run anew together with the other active ones.
	 * <!-- end-model-doc -->
	 * @see #ACTIVE
	 * @model
	 * @generated
	 * @ordered
	 */
	public static final int ACTIVE_VALUE = 1;

	/**
	 * The '<em><b>COMPARISON</b></em>' literal value.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * An old trace whose time base is shifted so that it begins with the others. It is no part of the workload.
	 * <!-- end-model-doc -->
	 * @see #COMPARISON
	 * @model
	 * @generated
	 * @ordered
	 */
	public static final int COMPARISON_VALUE = 2;

	/**
	 * An array of all the '<em><b>Run Mode</b></em>' enumerators.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	private static final RunMode[] VALUES_ARRAY =
		new RunMode[] {
			REPLAY,
			ACTIVE,
			COMPARISON,
		};

	/**
	 * A public read-only list of all the '<em><b>Run Mode</b></em>' enumerators.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	public static final List<RunMode> VALUES = Collections.unmodifiableList(Arrays.asList(VALUES_ARRAY));

	/**
	 * Returns the '<em><b>Run Mode</b></em>' literal with the specified literal value.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param literal the literal.
	 * @return the matching enumerator or <code>null</code>.
	 * @generated
	 */
	public static RunMode get(String literal) {
		for (int i = 0; i < VALUES_ARRAY.length; ++i) {
			RunMode result = VALUES_ARRAY[i];
			if (result.toString().equals(literal)) {
				return result;
			}
		}
		return null;
	}

	/**
	 * Returns the '<em><b>Run Mode</b></em>' literal with the specified name.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param name the name.
	 * @return the matching enumerator or <code>null</code>.
	 * @generated
	 */
	public static RunMode getByName(String name) {
		for (int i = 0; i < VALUES_ARRAY.length; ++i) {
			RunMode result = VALUES_ARRAY[i];
			if (result.getName().equals(name)) {
				return result;
			}
		}
		return null;
	}

	/**
	 * Returns the '<em><b>Run Mode</b></em>' literal with the specified integer value.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the integer value.
	 * @return the matching enumerator or <code>null</code>.
	 * @generated
	 */
	public static RunMode get(int value) {
		switch (value) {
			case REPLAY_VALUE: return REPLAY;
			case ACTIVE_VALUE: return ACTIVE;
			case COMPARISON_VALUE: return COMPARISON;
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
	private RunMode(int value, String name, String literal) {
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

} //RunMode
