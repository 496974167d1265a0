/**
 */
package org.parallax.model;

import org.eclipse.emf.common.util.EList;

import org.eclipse.emf.ecore.EObject;

/**
 * <!-- begin-user-doc -->
 * A representation of the model object '<em><b>Trial</b></em>'.
 * <!-- end-user-doc -->
 *
 * <!-- begin-model-doc -->
 * One execution of the program under a setting of all factors.
 * <!-- end-model-doc -->
 *
 * <p>
 * The following features are supported:
 * </p>
 * <ul>
 *   <li>{@link org.parallax.model.Trial#getKind <em>Kind</em>}</li>
 *   <li>{@link org.parallax.model.Trial#getRun <em>Run</em>}</li>
 *   <li>{@link org.parallax.model.Trial#getReplicate <em>Replicate</em>}</li>
 *   <li>{@link org.parallax.model.Trial#getBlock <em>Block</em>}</li>
 *   <li>{@link org.parallax.model.Trial#getStatus <em>Status</em>}</li>
 *   <li>{@link org.parallax.model.Trial#getDurationNs <em>Duration Ns</em>}</li>
 *   <li>{@link org.parallax.model.Trial#getStarted <em>Started</em>}</li>
 *   <li>{@link org.parallax.model.Trial#getFailures <em>Failures</em>}</li>
 *   <li>{@link org.parallax.model.Trial#getMeasurements <em>Measurements</em>}</li>
 *   <li>{@link org.parallax.model.Trial#getCounts <em>Counts</em>}</li>
 * </ul>
 *
 * @see org.parallax.model.ModelPackage#getTrial()
 * @model
 * @generated
 */
public interface Trial extends EObject {
	/**
	 * Returns the value of the '<em><b>Kind</b></em>' attribute.
	 * The literals are from the enumeration {@link org.parallax.model.TrialKind}.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the value of the '<em>Kind</em>' attribute.
	 * @see org.parallax.model.TrialKind
	 * @see #setKind(TrialKind)
	 * @see org.parallax.model.ModelPackage#getTrial_Kind()
	 * @model
	 * @generated
	 */
	TrialKind getKind();

	/**
	 * Sets the value of the '{@link org.parallax.model.Trial#getKind <em>Kind</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Kind</em>' attribute.
	 * @see org.parallax.model.TrialKind
	 * @see #getKind()
	 * @generated
	 */
	void setKind(TrialKind value);

	/**
	 * Returns the value of the '<em><b>Run</b></em>' attribute.
	 * The default value is <code>"-1"</code>.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * The run of the design; -1: all factors at their lowest level, -2: all at their highest.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Run</em>' attribute.
	 * @see #setRun(int)
	 * @see org.parallax.model.ModelPackage#getTrial_Run()
	 * @model default="-1"
	 * @generated
	 */
	int getRun();

	/**
	 * Sets the value of the '{@link org.parallax.model.Trial#getRun <em>Run</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Run</em>' attribute.
	 * @see #getRun()
	 * @generated
	 */
	void setRun(int value);

	/**
	 * Returns the value of the '<em><b>Replicate</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * From 0.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Replicate</em>' attribute.
	 * @see #setReplicate(int)
	 * @see org.parallax.model.ModelPackage#getTrial_Replicate()
	 * @model
	 * @generated
	 */
	int getReplicate();

	/**
	 * Sets the value of the '{@link org.parallax.model.Trial#getReplicate <em>Replicate</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Replicate</em>' attribute.
	 * @see #getReplicate()
	 * @generated
	 */
	void setReplicate(int value);

	/**
	 * Returns the value of the '<em><b>Block</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * Of which it is a part; a replicate has blocks of its own.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Block</em>' attribute.
	 * @see #setBlock(int)
	 * @see org.parallax.model.ModelPackage#getTrial_Block()
	 * @model
	 * @generated
	 */
	int getBlock();

	/**
	 * Sets the value of the '{@link org.parallax.model.Trial#getBlock <em>Block</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Block</em>' attribute.
	 * @see #getBlock()
	 * @generated
	 */
	void setBlock(int value);

	/**
	 * Returns the value of the '<em><b>Status</b></em>' attribute.
	 * The literals are from the enumeration {@link org.parallax.model.TrialStatus}.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the value of the '<em>Status</em>' attribute.
	 * @see org.parallax.model.TrialStatus
	 * @see #setStatus(TrialStatus)
	 * @see org.parallax.model.ModelPackage#getTrial_Status()
	 * @model
	 * @generated
	 */
	TrialStatus getStatus();

	/**
	 * Sets the value of the '{@link org.parallax.model.Trial#getStatus <em>Status</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Status</em>' attribute.
	 * @see org.parallax.model.TrialStatus
	 * @see #getStatus()
	 * @generated
	 */
	void setStatus(TrialStatus value);

	/**
	 * Returns the value of the '<em><b>Duration Ns</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * From the start of the command to its end.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Duration Ns</em>' attribute.
	 * @see #setDurationNs(long)
	 * @see org.parallax.model.ModelPackage#getTrial_DurationNs()
	 * @model
	 * @generated
	 */
	long getDurationNs();

	/**
	 * Sets the value of the '{@link org.parallax.model.Trial#getDurationNs <em>Duration Ns</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Duration Ns</em>' attribute.
	 * @see #getDurationNs()
	 * @generated
	 */
	void setDurationNs(long value);

	/**
	 * Returns the value of the '<em><b>Started</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * When it began, ISO 8601.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Started</em>' attribute.
	 * @see #setStarted(String)
	 * @see org.parallax.model.ModelPackage#getTrial_Started()
	 * @model
	 * @generated
	 */
	String getStarted();

	/**
	 * Sets the value of the '{@link org.parallax.model.Trial#getStarted <em>Started</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Started</em>' attribute.
	 * @see #getStarted()
	 * @generated
	 */
	void setStarted(String value);

	/**
	 * Returns the value of the '<em><b>Failures</b></em>' attribute list.
	 * The list contents are of type {@link java.lang.String}.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * What was wrong with each attempt that failed.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Failures</em>' attribute list.
	 * @see org.parallax.model.ModelPackage#getTrial_Failures()
	 * @model unique="false"
	 * @generated
	 */
	EList<String> getFailures();

	/**
	 * Returns the value of the '<em><b>Measurements</b></em>' containment reference list.
	 * The list contents are of type {@link org.parallax.model.Measurement}.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the value of the '<em>Measurements</em>' containment reference list.
	 * @see org.parallax.model.ModelPackage#getTrial_Measurements()
	 * @model containment="true"
	 * @generated
	 */
	EList<Measurement> getMeasurements();

	/**
	 * Returns the value of the '<em><b>Counts</b></em>' containment reference list.
	 * The list contents are of type {@link org.parallax.model.TreatmentCount}.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the value of the '<em>Counts</em>' containment reference list.
	 * @see org.parallax.model.ModelPackage#getTrial_Counts()
	 * @model containment="true"
	 * @generated
	 */
	EList<TreatmentCount> getCounts();

} // Trial
