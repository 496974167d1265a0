/**
 */
package org.parallax.model;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import org.eclipse.emf.common.util.Enumerator;

/**
 * <!-- begin-user-doc -->
 * A representation of the literals of the enumeration '<em><b>Trial Kind</b></em>',
 * and utility methods for working with them.
 * <!-- end-user-doc -->
 * @see org.parallax.model.ModelPackage#getTrialKind()
 * @model
 * @generated
 */
public enum TrialKind implements Enumerator {
	/**
	 * The '<em><b>WARMUP</b></em>' literal object.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * Counts for nothing.
	 * <!-- end-model-doc -->
	 * @see #WARMUP_VALUE
	 * @generated
	 * @ordered
	 */
	WARMUP(0, "WARMUP", "WARMUP"),

	/**
	 * The '<em><b>PILOT</b></em>' literal object.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * Shows before the experiment which places are reached, and the noise.
	 * <!-- end-model-doc -->
	 * @see #PILOT_VALUE
	 * @generated
	 * @ordered
	 */
	PILOT(1, "PILOT", "PILOT"),

	/**
	 * The '<em><b>BASELINE</b></em>' literal object.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * All factors at their level -.
	 * <!-- end-model-doc -->
	 * @see #BASELINE_VALUE
	 * @generated
	 * @ordered
	 */
	BASELINE(2, "BASELINE", "BASELINE"),

	/**
	 * The '<em><b>DESIGN</b></em>' literal object.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * A run of the design.
	 * <!-- end-model-doc -->
	 * @see #DESIGN_VALUE
	 * @generated
	 * @ordered
	 */
	DESIGN(3, "DESIGN", "DESIGN");

	/**
	 * The '<em><b>WARMUP</b></em>' literal value.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * Counts for nothing.
	 * <!-- end-model-doc -->
	 * @see #WARMUP
	 * @model
	 * @generated
	 * @ordered
	 */
	public static final int WARMUP_VALUE = 0;

	/**
	 * The '<em><b>PILOT</b></em>' literal value.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * Shows before the experiment which places are reached, and the noise.
	 * <!-- end-model-doc -->
	 * @see #PILOT
	 * @model
	 * @generated
	 * @ordered
	 */
	public static final int PILOT_VALUE = 1;

	/**
	 * The '<em><b>BASELINE</b></em>' literal value.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * All factors at their level -.
	 * <!-- end-model-doc -->
	 * @see #BASELINE
	 * @model
	 * @generated
	 * @ordered
	 */
	public static final int BASELINE_VALUE = 2;

	/**
	 * The '<em><b>DESIGN</b></em>' literal value.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * A run of the design.
	 * <!-- end-model-doc -->
	 * @see #DESIGN
	 * @model
	 * @generated
	 * @ordered
	 */
	public static final int DESIGN_VALUE = 3;

	/**
	 * An array of all the '<em><b>Trial Kind</b></em>' enumerators.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	private static final TrialKind[] VALUES_ARRAY =
		new TrialKind[] {
			WARMUP,
			PILOT,
			BASELINE,
			DESIGN,
		};

	/**
	 * A public read-only list of all the '<em><b>Trial Kind</b></em>' enumerators.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	public static final List<TrialKind> VALUES = Collections.unmodifiableList(Arrays.asList(VALUES_ARRAY));

	/**
	 * Returns the '<em><b>Trial Kind</b></em>' literal with the specified literal value.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param literal the literal.
	 * @return the matching enumerator or <code>null</code>.
	 * @generated
	 */
	public static TrialKind get(String literal) {
		for (int i = 0; i < VALUES_ARRAY.length; ++i) {
			TrialKind result = VALUES_ARRAY[i];
			if (result.toString().equals(literal)) {
				return result;
			}
		}
		return null;
	}

	/**
	 * Returns the '<em><b>Trial Kind</b></em>' literal with the specified name.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param name the name.
	 * @return the matching enumerator or <code>null</code>.
	 * @generated
	 */
	public static TrialKind getByName(String name) {
		for (int i = 0; i < VALUES_ARRAY.length; ++i) {
			TrialKind result = VALUES_ARRAY[i];
			if (result.getName().equals(name)) {
				return result;
			}
		}
		return null;
	}

	/**
	 * Returns the '<em><b>Trial Kind</b></em>' literal with the specified integer value.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the integer value.
	 * @return the matching enumerator or <code>null</code>.
	 * @generated
	 */
	public static TrialKind get(int value) {
		switch (value) {
			case WARMUP_VALUE: return WARMUP;
			case PILOT_VALUE: return PILOT;
			case BASELINE_VALUE: return BASELINE;
			case DESIGN_VALUE: return DESIGN;
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
	private TrialKind(int value, String name, String literal) {
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

} //TrialKind
