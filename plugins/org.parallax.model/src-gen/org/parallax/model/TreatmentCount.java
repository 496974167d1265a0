/**
 */
package org.parallax.model;

import org.eclipse.emf.ecore.EObject;

/**
 * <!-- begin-user-doc -->
 * A representation of the model object '<em><b>Treatment Count</b></em>'.
 * <!-- end-user-doc -->
 *
 * <!-- begin-model-doc -->
 * What was done at the places of a factor in a trial, over all threads and processes.
 * <!-- end-model-doc -->
 *
 * <p>
 * The following features are supported:
 * </p>
 * <ul>
 *   <li>{@link org.parallax.model.TreatmentCount#getFactor <em>Factor</em>}</li>
 *   <li>{@link org.parallax.model.TreatmentCount#getCount <em>Count</em>}</li>
 *   <li>{@link org.parallax.model.TreatmentCount#getRequestedNs <em>Requested Ns</em>}</li>
 *   <li>{@link org.parallax.model.TreatmentCount#getAchievedNs <em>Achieved Ns</em>}</li>
 *   <li>{@link org.parallax.model.TreatmentCount#getSkipped <em>Skipped</em>}</li>
 * </ul>
 *
 * @see org.parallax.model.ModelPackage#getTreatmentCount()
 * @model
 * @generated
 */
public interface TreatmentCount extends EObject {
	/**
	 * Returns the value of the '<em><b>Factor</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * Its name.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Factor</em>' attribute.
	 * @see #setFactor(String)
	 * @see org.parallax.model.ModelPackage#getTreatmentCount_Factor()
	 * @model
	 * @generated
	 */
	String getFactor();

	/**
	 * Sets the value of the '{@link org.parallax.model.TreatmentCount#getFactor <em>Factor</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Factor</em>' attribute.
	 * @see #getFactor()
	 * @generated
	 */
	void setFactor(String value);

	/**
	 * Returns the value of the '<em><b>Count</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * How often a place was reached.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Count</em>' attribute.
	 * @see #setCount(long)
	 * @see org.parallax.model.ModelPackage#getTreatmentCount_Count()
	 * @model
	 * @generated
	 */
	long getCount();

	/**
	 * Sets the value of the '{@link org.parallax.model.TreatmentCount#getCount <em>Count</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Count</em>' attribute.
	 * @see #getCount()
	 * @generated
	 */
	void setCount(long value);

	/**
	 * Returns the value of the '<em><b>Requested Ns</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the value of the '<em>Requested Ns</em>' attribute.
	 * @see #setRequestedNs(long)
	 * @see org.parallax.model.ModelPackage#getTreatmentCount_RequestedNs()
	 * @model
	 * @generated
	 */
	long getRequestedNs();

	/**
	 * Sets the value of the '{@link org.parallax.model.TreatmentCount#getRequestedNs <em>Requested Ns</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Requested Ns</em>' attribute.
	 * @see #getRequestedNs()
	 * @generated
	 */
	void setRequestedNs(long value);

	/**
	 * Returns the value of the '<em><b>Achieved Ns</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the value of the '<em>Achieved Ns</em>' attribute.
	 * @see #setAchievedNs(long)
	 * @see org.parallax.model.ModelPackage#getTreatmentCount_AchievedNs()
	 * @model
	 * @generated
	 */
	long getAchievedNs();

	/**
	 * Sets the value of the '{@link org.parallax.model.TreatmentCount#getAchievedNs <em>Achieved Ns</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Achieved Ns</em>' attribute.
	 * @see #getAchievedNs()
	 * @generated
	 */
	void setAchievedNs(long value);

	/**
	 * Returns the value of the '<em><b>Skipped</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * How often the treatment could not be applied.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Skipped</em>' attribute.
	 * @see #setSkipped(long)
	 * @see org.parallax.model.ModelPackage#getTreatmentCount_Skipped()
	 * @model
	 * @generated
	 */
	long getSkipped();

	/**
	 * Sets the value of the '{@link org.parallax.model.TreatmentCount#getSkipped <em>Skipped</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Skipped</em>' attribute.
	 * @see #getSkipped()
	 * @generated
	 */
	void setSkipped(long value);

} // TreatmentCount
