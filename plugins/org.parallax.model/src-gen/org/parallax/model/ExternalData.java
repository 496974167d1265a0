/**
 */
package org.parallax.model;

import org.eclipse.emf.ecore.EObject;

import org.parallax.trace.ExternalSeries;
import org.parallax.trace.Trace;

/**
 * <!-- begin-user-doc -->
 * A representation of the model object '<em><b>External Data</b></em>'.
 * <!-- end-user-doc -->
 *
 * <!-- begin-model-doc -->
 * What a monitor measured over time of one machine, process or application, or of none that is in the session.
 * <!-- end-model-doc -->
 *
 * <p>
 * The following features are supported:
 * </p>
 * <ul>
 *   <li>{@link org.parallax.model.ExternalData#getSession <em>Session</em>}</li>
 *   <li>{@link org.parallax.model.ExternalData#getName <em>Name</em>}</li>
 *   <li>{@link org.parallax.model.ExternalData#getMachine <em>Machine</em>}</li>
 *   <li>{@link org.parallax.model.ExternalData#getProcess <em>Process</em>}</li>
 *   <li>{@link org.parallax.model.ExternalData#getApplication <em>Application</em>}</li>
 *   <li>{@link org.parallax.model.ExternalData#getTrace <em>Trace</em>}</li>
 *   <li>{@link org.parallax.model.ExternalData#getSeries <em>Series</em>}</li>
 * </ul>
 *
 * @see org.parallax.model.ModelPackage#getExternalData()
 * @model
 * @generated
 */
public interface ExternalData extends EObject {
	/**
	 * Returns the value of the '<em><b>Session</b></em>' container reference.
	 * It is bidirectional and its opposite is '{@link org.parallax.model.Session#getExternals <em>Externals</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the value of the '<em>Session</em>' container reference.
	 * @see #setSession(Session)
	 * @see org.parallax.model.ModelPackage#getExternalData_Session()
	 * @see org.parallax.model.Session#getExternals
	 * @model opposite="externals" transient="false"
	 * @generated
	 */
	Session getSession();

	/**
	 * Sets the value of the '{@link org.parallax.model.ExternalData#getSession <em>Session</em>}' container reference.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Session</em>' container reference.
	 * @see #getSession()
	 * @generated
	 */
	void setSession(Session value);

	/**
	 * Returns the value of the '<em><b>Name</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * That of the series; where those of another trace have it, with the name of the trace.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Name</em>' attribute.
	 * @see #setName(String)
	 * @see org.parallax.model.ModelPackage#getExternalData_Name()
	 * @model
	 * @generated
	 */
	String getName();

	/**
	 * Sets the value of the '{@link org.parallax.model.ExternalData#getName <em>Name</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Name</em>' attribute.
	 * @see #getName()
	 * @generated
	 */
	void setName(String value);

	/**
	 * Returns the value of the '<em><b>Machine</b></em>' reference.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * Of which it tells, null for that of others.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Machine</em>' reference.
	 * @see #setMachine(Machine)
	 * @see org.parallax.model.ModelPackage#getExternalData_Machine()
	 * @model
	 * @generated
	 */
	Machine getMachine();

	/**
	 * Sets the value of the '{@link org.parallax.model.ExternalData#getMachine <em>Machine</em>}' reference.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Machine</em>' reference.
	 * @see #getMachine()
	 * @generated
	 */
	void setMachine(Machine value);

	/**
	 * Returns the value of the '<em><b>Process</b></em>' reference.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * Of which it tells, null for that of others.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Process</em>' reference.
	 * @see #setProcess(org.parallax.model.Process)
	 * @see org.parallax.model.ModelPackage#getExternalData_Process()
	 * @model
	 * @generated
	 */
	org.parallax.model.Process getProcess();

	/**
	 * Sets the value of the '{@link org.parallax.model.ExternalData#getProcess <em>Process</em>}' reference.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Process</em>' reference.
	 * @see #getProcess()
	 * @generated
	 */
	void setProcess(org.parallax.model.Process value);

	/**
	 * Returns the value of the '<em><b>Application</b></em>' reference.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * Of which it tells, null for that of others.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Application</em>' reference.
	 * @see #setApplication(Application)
	 * @see org.parallax.model.ModelPackage#getExternalData_Application()
	 * @model
	 * @generated
	 */
	Application getApplication();

	/**
	 * Sets the value of the '{@link org.parallax.model.ExternalData#getApplication <em>Application</em>}' reference.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Application</em>' reference.
	 * @see #getApplication()
	 * @generated
	 */
	void setApplication(Application value);

	/**
	 * Returns the value of the '<em><b>Trace</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * The trace that it came with, which is open.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Trace</em>' attribute.
	 * @see #setTrace(Trace)
	 * @see org.parallax.model.ModelPackage#getExternalData_Trace()
	 * @model dataType="org.parallax.model.TraceHandle" transient="true"
	 * @generated
	 */
	Trace getTrace();

	/**
	 * Sets the value of the '{@link org.parallax.model.ExternalData#getTrace <em>Trace</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Trace</em>' attribute.
	 * @see #getTrace()
	 * @generated
	 */
	void setTrace(Trace value);

	/**
	 * Returns the value of the '<em><b>Series</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the value of the '<em>Series</em>' attribute.
	 * @see #setSeries(ExternalSeries)
	 * @see org.parallax.model.ModelPackage#getExternalData_Series()
	 * @model dataType="org.parallax.model.SeriesHandle" transient="true"
	 * @generated
	 */
	ExternalSeries getSeries();

	/**
	 * Sets the value of the '{@link org.parallax.model.ExternalData#getSeries <em>Series</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Series</em>' attribute.
	 * @see #getSeries()
	 * @generated
	 */
	void setSeries(ExternalSeries value);

} // ExternalData
