/**
 */
package org.parallax.model;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import org.eclipse.emf.common.util.Enumerator;

/**
 * <!-- begin-user-doc -->
 * A representation of the literals of the enumeration '<em><b>Treatment</b></em>',
 * and utility methods for working with them.
 * <!-- end-user-doc -->
 * <!-- begin-model-doc -->
 * What is done at a place (Lyon, Snelick, Kacker 1992, section 2.1.1).
 * <!-- end-model-doc -->
 * @see org.parallax.model.ModelPackage#getTreatment()
 * @model
 * @generated
 */
public enum Treatment implements Enumerator {
	/**
	 * The '<em><b>DELAY</b></em>' literal object.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * By spinning below a millisecond, by sleeping above.
	 * <!-- end-model-doc -->
	 * @see #DELAY_VALUE
	 * @generated
	 * @ordered
	 */
	DELAY(0, "DELAY", "DELAY"),

	/**
	 * The '<em><b>SPIN</b></em>' literal object.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * A delay by spinning for a time.
	 * <!-- end-model-doc -->
	 * @see #SPIN_VALUE
	 * @generated
	 * @ordered
	 */
	SPIN(1, "SPIN", "SPIN"),

	/**
	 * The '<em><b>SLEEP</b></em>' literal object.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * A delay by sleeping.
	 * <!-- end-model-doc -->
	 * @see #SLEEP_VALUE
	 * @generated
	 * @ordered
	 */
	SLEEP(2, "SLEEP", "SLEEP"),

	/**
	 * The '<em><b>WORK</b></em>' literal object.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * A delay by as much calibrated work as takes the time on an idle processor.
	 * <!-- end-model-doc -->
	 * @see #WORK_VALUE
	 * @generated
	 * @ordered
	 */
	WORK(3, "WORK", "WORK"),

	/**
	 * The '<em><b>LOCK</b></em>' literal object.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * A mutex of the program is locked and unlocked.
	 * <!-- end-model-doc -->
	 * @see #LOCK_VALUE
	 * @generated
	 * @ordered
	 */
	LOCK(4, "LOCK", "LOCK"),

	/**
	 * The '<em><b>MESSAGE</b></em>' literal object.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * A message that nobody needs.
	 * <!-- end-model-doc -->
	 * @see #MESSAGE_VALUE
	 * @generated
	 * @ordered
	 */
	MESSAGE(5, "MESSAGE", "MESSAGE"),

	/**
	 * The '<em><b>BUFFER</b></em>' literal object.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * Temporary memory.
	 * <!-- end-model-doc -->
	 * @see #BUFFER_VALUE
	 * @generated
	 * @ordered
	 */
	BUFFER(6, "BUFFER", "BUFFER"),

	/**
	 * The '<em><b>SPEEDUP</b></em>' literal object.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * Virtual speed-up: all else waits while the place runs.
	 * <!-- end-model-doc -->
	 * @see #SPEEDUP_VALUE
	 * @generated
	 * @ordered
	 */
	SPEEDUP(7, "SPEEDUP", "SPEEDUP");

	/**
	 * The '<em><b>DELAY</b></em>' literal value.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * By spinning below a millisecond, by sleeping above.
	 * <!-- end-model-doc -->
	 * @see #DELAY
	 * @model
	 * @generated
	 * @ordered
	 */
	public static final int DELAY_VALUE = 0;

	/**
	 * The '<em><b>SPIN</b></em>' literal value.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * A delay by spinning for a time.
	 * <!-- end-model-doc -->
	 * @see #SPIN
	 * @model
	 * @generated
	 * @ordered
	 */
	public static final int SPIN_VALUE = 1;

	/**
	 * The '<em><b>SLEEP</b></em>' literal value.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * A delay by sleeping.
	 * <!-- end-model-doc -->
	 * @see #SLEEP
	 * @model
	 * @generated
	 * @ordered
	 */
	public static final int SLEEP_VALUE = 2;

	/**
	 * The '<em><b>WORK</b></em>' literal value.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * A delay by as much calibrated work as takes the time on an idle processor.
	 * <!-- end-model-doc -->
	 * @see #WORK
	 * @model
	 * @generated
	 * @ordered
	 */
	public static final int WORK_VALUE = 3;

	/**
	 * The '<em><b>LOCK</b></em>' literal value.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * A mutex of the program is locked and unlocked.
	 * <!-- end-model-doc -->
	 * @see #LOCK
	 * @model
	 * @generated
	 * @ordered
	 */
	public static final int LOCK_VALUE = 4;

	/**
	 * The '<em><b>MESSAGE</b></em>' literal value.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * A message that nobody needs.
	 * <!-- end-model-doc -->
	 * @see #MESSAGE
	 * @model
	 * @generated
	 * @ordered
	 */
	public static final int MESSAGE_VALUE = 5;

	/**
	 * The '<em><b>BUFFER</b></em>' literal value.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * Temporary memory.
	 * <!-- end-model-doc -->
	 * @see #BUFFER
	 * @model
	 * @generated
	 * @ordered
	 */
	public static final int BUFFER_VALUE = 6;

	/**
	 * The '<em><b>SPEEDUP</b></em>' literal value.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * Virtual speed-up: all else waits while the place runs.
	 * <!-- end-model-doc -->
	 * @see #SPEEDUP
	 * @model
	 * @generated
	 * @ordered
	 */
	public static final int SPEEDUP_VALUE = 7;

	/**
	 * An array of all the '<em><b>Treatment</b></em>' enumerators.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	private static final Treatment[] VALUES_ARRAY =
		new Treatment[] {
			DELAY,
			SPIN,
			SLEEP,
			WORK,
			LOCK,
			MESSAGE,
			BUFFER,
			SPEEDUP,
		};

	/**
	 * A public read-only list of all the '<em><b>Treatment</b></em>' enumerators.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	public static final List<Treatment> VALUES = Collections.unmodifiableList(Arrays.asList(VALUES_ARRAY));

	/**
	 * Returns the '<em><b>Treatment</b></em>' literal with the specified literal value.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param literal the literal.
	 * @return the matching enumerator or <code>null</code>.
	 * @generated
	 */
	public static Treatment get(String literal) {
		for (int i = 0; i < VALUES_ARRAY.length; ++i) {
			Treatment result = VALUES_ARRAY[i];
			if (result.toString().equals(literal)) {
				return result;
			}
		}
		return null;
	}

	/**
	 * Returns the '<em><b>Treatment</b></em>' literal with the specified name.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param name the name.
	 * @return the matching enumerator or <code>null</code>.
	 * @generated
	 */
	public static Treatment getByName(String name) {
		for (int i = 0; i < VALUES_ARRAY.length; ++i) {
			Treatment result = VALUES_ARRAY[i];
			if (result.getName().equals(name)) {
				return result;
			}
		}
		return null;
	}

	/**
	 * Returns the '<em><b>Treatment</b></em>' literal with the specified integer value.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the integer value.
	 * @return the matching enumerator or <code>null</code>.
	 * @generated
	 */
	public static Treatment get(int value) {
		switch (value) {
			case DELAY_VALUE: return DELAY;
			case SPIN_VALUE: return SPIN;
			case SLEEP_VALUE: return SLEEP;
			case WORK_VALUE: return WORK;
			case LOCK_VALUE: return LOCK;
			case MESSAGE_VALUE: return MESSAGE;
			case BUFFER_VALUE: return BUFFER;
			case SPEEDUP_VALUE: return SPEEDUP;
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
	private Treatment(int value, String name, String literal) {
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

} //Treatment
