/**
 */
package org.parallax.model;

import org.eclipse.emf.ecore.EObject;

/**
 * <!-- begin-user-doc -->
 * A representation of the model object '<em><b>Design Run</b></em>'.
 * <!-- end-user-doc -->
 *
 * <!-- begin-model-doc -->
 * Which setting each factor has in a run of the design.
 * <!-- end-model-doc -->
 *
 * <p>
 * The following features are supported:
 * </p>
 * <ul>
 *   <li>{@link org.parallax.model.DesignRun#getSettings <em>Settings</em>}</li>
 *   <li>{@link org.parallax.model.DesignRun#getBlock <em>Block</em>}</li>
 * </ul>
 *
 * @see org.parallax.model.ModelPackage#getDesignRun()
 * @model
 * @generated
 */
public interface DesignRun extends EObject {
	/**
	 * Returns the value of the '<em><b>Settings</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * One for each factor, separated by blanks: -1, 0 or 1 with two levels, else from 0.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Settings</em>' attribute.
	 * @see #setSettings(String)
	 * @see org.parallax.model.ModelPackage#getDesignRun_Settings()
	 * @model
	 * @generated
	 */
	String getSettings();

	/**
	 * Sets the value of the '{@link org.parallax.model.DesignRun#getSettings <em>Settings</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Settings</em>' attribute.
	 * @see #getSettings()
	 * @generated
	 */
	void setSettings(String value);

	/**
	 * Returns the value of the '<em><b>Block</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the value of the '<em>Block</em>' attribute.
	 * @see #setBlock(int)
	 * @see org.parallax.model.ModelPackage#getDesignRun_Block()
	 * @model
	 * @generated
	 */
	int getBlock();

	/**
	 * Sets the value of the '{@link org.parallax.model.DesignRun#getBlock <em>Block</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Block</em>' attribute.
	 * @see #getBlock()
	 * @generated
	 */
	void setBlock(int value);

} // DesignRun
