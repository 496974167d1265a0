/**
 */
package org.parallax.model;

import org.eclipse.emf.ecore.EObject;

/**
 * <!-- begin-user-doc -->
 * A representation of the model object '<em><b>Factor</b></em>'.
 * <!-- end-user-doc -->
 *
 * <!-- begin-model-doc -->
 * A place in the program and what is done there.
 * <!-- end-model-doc -->
 *
 * <p>
 * The following features are supported:
 * </p>
 * <ul>
 *   <li>{@link org.parallax.model.Factor#getName <em>Name</em>}</li>
 *   <li>{@link org.parallax.model.Factor#getPlace <em>Place</em>}</li>
 *   <li>{@link org.parallax.model.Factor#getTreatment <em>Treatment</em>}</li>
 *   <li>{@link org.parallax.model.Factor#getSettings <em>Settings</em>}</li>
 *   <li>{@link org.parallax.model.Factor#getArgument <em>Argument</em>}</li>
 * </ul>
 *
 * @see org.parallax.model.ModelPackage#getFactor()
 * @model
 * @generated
 */
public interface Factor extends EObject {
	/**
	 * Returns the value of the '<em><b>Name</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * Unique in the experiment, for tables.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Name</em>' attribute.
	 * @see #setName(String)
	 * @see org.parallax.model.ModelPackage#getFactor_Name()
	 * @model
	 * @generated
	 */
	String getName();

	/**
	 * Sets the value of the '{@link org.parallax.model.Factor#getName <em>Name</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Name</em>' attribute.
	 * @see #getName()
	 * @generated
	 */
	void setName(String value);

	/**
	 * Returns the value of the '<em><b>Place</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * entry:FUNCTION, exit:FUNCTION, FILE:LINE, before:ROUTINE@PLACE, after:ROUTINE@PLACE or macro:NAME.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Place</em>' attribute.
	 * @see #setPlace(String)
	 * @see org.parallax.model.ModelPackage#getFactor_Place()
	 * @model
	 * @generated
	 */
	String getPlace();

	/**
	 * Sets the value of the '{@link org.parallax.model.Factor#getPlace <em>Place</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Place</em>' attribute.
	 * @see #getPlace()
	 * @generated
	 */
	void setPlace(String value);

	/**
	 * Returns the value of the '<em><b>Treatment</b></em>' attribute.
	 * The literals are from the enumeration {@link org.parallax.model.Treatment}.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the value of the '<em>Treatment</em>' attribute.
	 * @see org.parallax.model.Treatment
	 * @see #setTreatment(Treatment)
	 * @see org.parallax.model.ModelPackage#getFactor_Treatment()
	 * @model
	 * @generated
	 */
	Treatment getTreatment();

	/**
	 * Sets the value of the '{@link org.parallax.model.Factor#getTreatment <em>Treatment</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Treatment</em>' attribute.
	 * @see org.parallax.model.Treatment
	 * @see #getTreatment()
	 * @generated
	 */
	void setTreatment(Treatment value);

	/**
	 * Returns the value of the '<em><b>Settings</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * One for each level, separated by blanks: 0 1us. The first is the level -.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Settings</em>' attribute.
	 * @see #setSettings(String)
	 * @see org.parallax.model.ModelPackage#getFactor_Settings()
	 * @model
	 * @generated
	 */
	String getSettings();

	/**
	 * Sets the value of the '{@link org.parallax.model.Factor#getSettings <em>Settings</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Settings</em>' attribute.
	 * @see #getSettings()
	 * @generated
	 */
	void setSettings(String value);

	/**
	 * Returns the value of the '<em><b>Argument</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * Of a treatment that needs more: the variable of a lock.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Argument</em>' attribute.
	 * @see #setArgument(String)
	 * @see org.parallax.model.ModelPackage#getFactor_Argument()
	 * @model
	 * @generated
	 */
	String getArgument();

	/**
	 * Sets the value of the '{@link org.parallax.model.Factor#getArgument <em>Argument</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Argument</em>' attribute.
	 * @see #getArgument()
	 * @generated
	 */
	void setArgument(String value);

} // Factor
