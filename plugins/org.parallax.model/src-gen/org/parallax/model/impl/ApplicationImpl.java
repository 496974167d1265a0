/**
 */
package org.parallax.model.impl;

import java.util.Collection;

import org.eclipse.emf.common.notify.Notification;
import org.eclipse.emf.common.notify.NotificationChain;

import org.eclipse.emf.common.util.EList;

import org.eclipse.emf.ecore.EClass;
import org.eclipse.emf.ecore.InternalEObject;

import org.eclipse.emf.ecore.impl.ENotificationImpl;
import org.eclipse.emf.ecore.impl.MinimalEObjectImpl;

import org.eclipse.emf.ecore.util.EObjectContainmentWithInverseEList;
import org.eclipse.emf.ecore.util.EcoreUtil;
import org.eclipse.emf.ecore.util.InternalEList;

import org.parallax.model.Application;
import org.parallax.model.ModelPackage;
import org.parallax.model.Procedure;
import org.parallax.model.RunMode;
import org.parallax.model.Session;

import org.parallax.trace.Trace;

/**
 * <!-- begin-user-doc -->
 * An implementation of the model object '<em><b>Application</b></em>'.
 * <!-- end-user-doc -->
 * <p>
 * The following features are implemented:
 * </p>
 * <ul>
 *   <li>{@link org.parallax.model.impl.ApplicationImpl#getSession <em>Session</em>}</li>
 *   <li>{@link org.parallax.model.impl.ApplicationImpl#getName <em>Name</em>}</li>
 *   <li>{@link org.parallax.model.impl.ApplicationImpl#getCommand <em>Command</em>}</li>
 *   <li>{@link org.parallax.model.impl.ApplicationImpl#getTracePath <em>Trace Path</em>}</li>
 *   <li>{@link org.parallax.model.impl.ApplicationImpl#getJob <em>Job</em>}</li>
 *   <li>{@link org.parallax.model.impl.ApplicationImpl#getStartNs <em>Start Ns</em>}</li>
 *   <li>{@link org.parallax.model.impl.ApplicationImpl#getEndNs <em>End Ns</em>}</li>
 *   <li>{@link org.parallax.model.impl.ApplicationImpl#getMode <em>Mode</em>}</li>
 *   <li>{@link org.parallax.model.impl.ApplicationImpl#getTrace <em>Trace</em>}</li>
 *   <li>{@link org.parallax.model.impl.ApplicationImpl#getProcesses <em>Processes</em>}</li>
 *   <li>{@link org.parallax.model.impl.ApplicationImpl#getProcedures <em>Procedures</em>}</li>
 * </ul>
 *
 * @generated
 */
public class ApplicationImpl extends MinimalEObjectImpl.Container implements Application {
	/**
	 * The default value of the '{@link #getName() <em>Name</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getName()
	 * @generated
	 * @ordered
	 */
	protected static final String NAME_EDEFAULT = null;

	/**
	 * The cached value of the '{@link #getName() <em>Name</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getName()
	 * @generated
	 * @ordered
	 */
	protected String name = NAME_EDEFAULT;

	/**
	 * The default value of the '{@link #getCommand() <em>Command</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getCommand()
	 * @generated
	 * @ordered
	 */
	protected static final String COMMAND_EDEFAULT = null;

	/**
	 * The cached value of the '{@link #getCommand() <em>Command</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getCommand()
	 * @generated
	 * @ordered
	 */
	protected String command = COMMAND_EDEFAULT;

	/**
	 * The default value of the '{@link #getTracePath() <em>Trace Path</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getTracePath()
	 * @generated
	 * @ordered
	 */
	protected static final String TRACE_PATH_EDEFAULT = null;

	/**
	 * The cached value of the '{@link #getTracePath() <em>Trace Path</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getTracePath()
	 * @generated
	 * @ordered
	 */
	protected String tracePath = TRACE_PATH_EDEFAULT;

	/**
	 * The default value of the '{@link #getJob() <em>Job</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getJob()
	 * @generated
	 * @ordered
	 */
	protected static final long JOB_EDEFAULT = 0L;

	/**
	 * The cached value of the '{@link #getJob() <em>Job</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getJob()
	 * @generated
	 * @ordered
	 */
	protected long job = JOB_EDEFAULT;

	/**
	 * The default value of the '{@link #getStartNs() <em>Start Ns</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getStartNs()
	 * @generated
	 * @ordered
	 */
	protected static final long START_NS_EDEFAULT = 0L;

	/**
	 * The cached value of the '{@link #getStartNs() <em>Start Ns</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getStartNs()
	 * @generated
	 * @ordered
	 */
	protected long startNs = START_NS_EDEFAULT;

	/**
	 * The default value of the '{@link #getEndNs() <em>End Ns</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getEndNs()
	 * @generated
	 * @ordered
	 */
	protected static final long END_NS_EDEFAULT = 0L;

	/**
	 * The cached value of the '{@link #getEndNs() <em>End Ns</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getEndNs()
	 * @generated
	 * @ordered
	 */
	protected long endNs = END_NS_EDEFAULT;

	/**
	 * The default value of the '{@link #getMode() <em>Mode</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getMode()
	 * @generated
	 * @ordered
	 */
	protected static final RunMode MODE_EDEFAULT = RunMode.REPLAY;

	/**
	 * The cached value of the '{@link #getMode() <em>Mode</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getMode()
	 * @generated
	 * @ordered
	 */
	protected RunMode mode = MODE_EDEFAULT;

	/**
	 * The default value of the '{@link #getTrace() <em>Trace</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getTrace()
	 * @generated
	 * @ordered
	 */
	protected static final Trace TRACE_EDEFAULT = null;

	/**
	 * The cached value of the '{@link #getTrace() <em>Trace</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getTrace()
	 * @generated
	 * @ordered
	 */
	protected Trace trace = TRACE_EDEFAULT;

	/**
	 * The cached value of the '{@link #getProcesses() <em>Processes</em>}' containment reference list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getProcesses()
	 * @generated
	 * @ordered
	 */
	protected EList<org.parallax.model.Process> processes;

	/**
	 * The cached value of the '{@link #getProcedures() <em>Procedures</em>}' containment reference list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getProcedures()
	 * @generated
	 * @ordered
	 */
	protected EList<Procedure> procedures;

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	protected ApplicationImpl() {
		super();
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	protected EClass eStaticClass() {
		return ModelPackage.Literals.APPLICATION;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public Session getSession() {
		if (eContainerFeatureID() != ModelPackage.APPLICATION__SESSION) return null;
		return (Session)eInternalContainer();
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	public NotificationChain basicSetSession(Session newSession, NotificationChain msgs) {
		msgs = eBasicSetContainer((InternalEObject)newSession, ModelPackage.APPLICATION__SESSION, msgs);
		return msgs;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setSession(Session newSession) {
		if (newSession != eInternalContainer() || (eContainerFeatureID() != ModelPackage.APPLICATION__SESSION && newSession != null)) {
			if (EcoreUtil.isAncestor(this, newSession))
				throw new IllegalArgumentException("Recursive containment not allowed for " + toString());
			NotificationChain msgs = null;
			if (eInternalContainer() != null)
				msgs = eBasicRemoveFromContainer(msgs);
			if (newSession != null)
				msgs = ((InternalEObject)newSession).eInverseAdd(this, ModelPackage.SESSION__APPLICATIONS, Session.class, msgs);
			msgs = basicSetSession(newSession, msgs);
			if (msgs != null) msgs.dispatch();
		}
		else if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.APPLICATION__SESSION, newSession, newSession));
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
	public void setName(String newName) {
		String oldName = name;
		name = newName;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.APPLICATION__NAME, oldName, name));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public String getCommand() {
		return command;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setCommand(String newCommand) {
		String oldCommand = command;
		command = newCommand;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.APPLICATION__COMMAND, oldCommand, command));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public String getTracePath() {
		return tracePath;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setTracePath(String newTracePath) {
		String oldTracePath = tracePath;
		tracePath = newTracePath;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.APPLICATION__TRACE_PATH, oldTracePath, tracePath));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public long getJob() {
		return job;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setJob(long newJob) {
		long oldJob = job;
		job = newJob;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.APPLICATION__JOB, oldJob, job));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public long getStartNs() {
		return startNs;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setStartNs(long newStartNs) {
		long oldStartNs = startNs;
		startNs = newStartNs;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.APPLICATION__START_NS, oldStartNs, startNs));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public long getEndNs() {
		return endNs;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setEndNs(long newEndNs) {
		long oldEndNs = endNs;
		endNs = newEndNs;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.APPLICATION__END_NS, oldEndNs, endNs));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public RunMode getMode() {
		return mode;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setMode(RunMode newMode) {
		RunMode oldMode = mode;
		mode = newMode == null ? MODE_EDEFAULT : newMode;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.APPLICATION__MODE, oldMode, mode));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public Trace getTrace() {
		return trace;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setTrace(Trace newTrace) {
		Trace oldTrace = trace;
		trace = newTrace;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.APPLICATION__TRACE, oldTrace, trace));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public EList<org.parallax.model.Process> getProcesses() {
		if (processes == null) {
			processes = new EObjectContainmentWithInverseEList<org.parallax.model.Process>(org.parallax.model.Process.class, this, ModelPackage.APPLICATION__PROCESSES, ModelPackage.PROCESS__APPLICATION);
		}
		return processes;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public EList<Procedure> getProcedures() {
		if (procedures == null) {
			procedures = new EObjectContainmentWithInverseEList<Procedure>(Procedure.class, this, ModelPackage.APPLICATION__PROCEDURES, ModelPackage.PROCEDURE__APPLICATION);
		}
		return procedures;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@SuppressWarnings("unchecked")
	@Override
	public NotificationChain eInverseAdd(InternalEObject otherEnd, int featureID, NotificationChain msgs) {
		switch (featureID) {
			case ModelPackage.APPLICATION__SESSION:
				if (eInternalContainer() != null)
					msgs = eBasicRemoveFromContainer(msgs);
				return basicSetSession((Session)otherEnd, msgs);
			case ModelPackage.APPLICATION__PROCESSES:
				return ((InternalEList<InternalEObject>)(InternalEList<?>)getProcesses()).basicAdd(otherEnd, msgs);
			case ModelPackage.APPLICATION__PROCEDURES:
				return ((InternalEList<InternalEObject>)(InternalEList<?>)getProcedures()).basicAdd(otherEnd, msgs);
		}
		return super.eInverseAdd(otherEnd, featureID, msgs);
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public NotificationChain eInverseRemove(InternalEObject otherEnd, int featureID, NotificationChain msgs) {
		switch (featureID) {
			case ModelPackage.APPLICATION__SESSION:
				return basicSetSession(null, msgs);
			case ModelPackage.APPLICATION__PROCESSES:
				return ((InternalEList<?>)getProcesses()).basicRemove(otherEnd, msgs);
			case ModelPackage.APPLICATION__PROCEDURES:
				return ((InternalEList<?>)getProcedures()).basicRemove(otherEnd, msgs);
		}
		return super.eInverseRemove(otherEnd, featureID, msgs);
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public NotificationChain eBasicRemoveFromContainerFeature(NotificationChain msgs) {
		switch (eContainerFeatureID()) {
			case ModelPackage.APPLICATION__SESSION:
				return eInternalContainer().eInverseRemove(this, ModelPackage.SESSION__APPLICATIONS, Session.class, msgs);
		}
		return super.eBasicRemoveFromContainerFeature(msgs);
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public Object eGet(int featureID, boolean resolve, boolean coreType) {
		switch (featureID) {
			case ModelPackage.APPLICATION__SESSION:
				return getSession();
			case ModelPackage.APPLICATION__NAME:
				return getName();
			case ModelPackage.APPLICATION__COMMAND:
				return getCommand();
			case ModelPackage.APPLICATION__TRACE_PATH:
				return getTracePath();
			case ModelPackage.APPLICATION__JOB:
				return getJob();
			case ModelPackage.APPLICATION__START_NS:
				return getStartNs();
			case ModelPackage.APPLICATION__END_NS:
				return getEndNs();
			case ModelPackage.APPLICATION__MODE:
				return getMode();
			case ModelPackage.APPLICATION__TRACE:
				return getTrace();
			case ModelPackage.APPLICATION__PROCESSES:
				return getProcesses();
			case ModelPackage.APPLICATION__PROCEDURES:
				return getProcedures();
		}
		return super.eGet(featureID, resolve, coreType);
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@SuppressWarnings("unchecked")
	@Override
	public void eSet(int featureID, Object newValue) {
		switch (featureID) {
			case ModelPackage.APPLICATION__SESSION:
				setSession((Session)newValue);
				return;
			case ModelPackage.APPLICATION__NAME:
				setName((String)newValue);
				return;
			case ModelPackage.APPLICATION__COMMAND:
				setCommand((String)newValue);
				return;
			case ModelPackage.APPLICATION__TRACE_PATH:
				setTracePath((String)newValue);
				return;
			case ModelPackage.APPLICATION__JOB:
				setJob((Long)newValue);
				return;
			case ModelPackage.APPLICATION__START_NS:
				setStartNs((Long)newValue);
				return;
			case ModelPackage.APPLICATION__END_NS:
				setEndNs((Long)newValue);
				return;
			case ModelPackage.APPLICATION__MODE:
				setMode((RunMode)newValue);
				return;
			case ModelPackage.APPLICATION__TRACE:
				setTrace((Trace)newValue);
				return;
			case ModelPackage.APPLICATION__PROCESSES:
				getProcesses().clear();
				getProcesses().addAll((Collection<? extends org.parallax.model.Process>)newValue);
				return;
			case ModelPackage.APPLICATION__PROCEDURES:
				getProcedures().clear();
				getProcedures().addAll((Collection<? extends Procedure>)newValue);
				return;
		}
		super.eSet(featureID, newValue);
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void eUnset(int featureID) {
		switch (featureID) {
			case ModelPackage.APPLICATION__SESSION:
				setSession((Session)null);
				return;
			case ModelPackage.APPLICATION__NAME:
				setName(NAME_EDEFAULT);
				return;
			case ModelPackage.APPLICATION__COMMAND:
				setCommand(COMMAND_EDEFAULT);
				return;
			case ModelPackage.APPLICATION__TRACE_PATH:
				setTracePath(TRACE_PATH_EDEFAULT);
				return;
			case ModelPackage.APPLICATION__JOB:
				setJob(JOB_EDEFAULT);
				return;
			case ModelPackage.APPLICATION__START_NS:
				setStartNs(START_NS_EDEFAULT);
				return;
			case ModelPackage.APPLICATION__END_NS:
				setEndNs(END_NS_EDEFAULT);
				return;
			case ModelPackage.APPLICATION__MODE:
				setMode(MODE_EDEFAULT);
				return;
			case ModelPackage.APPLICATION__TRACE:
				setTrace(TRACE_EDEFAULT);
				return;
			case ModelPackage.APPLICATION__PROCESSES:
				getProcesses().clear();
				return;
			case ModelPackage.APPLICATION__PROCEDURES:
				getProcedures().clear();
				return;
		}
		super.eUnset(featureID);
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public boolean eIsSet(int featureID) {
		switch (featureID) {
			case ModelPackage.APPLICATION__SESSION:
				return getSession() != null;
			case ModelPackage.APPLICATION__NAME:
				return NAME_EDEFAULT == null ? name != null : !NAME_EDEFAULT.equals(name);
			case ModelPackage.APPLICATION__COMMAND:
				return COMMAND_EDEFAULT == null ? command != null : !COMMAND_EDEFAULT.equals(command);
			case ModelPackage.APPLICATION__TRACE_PATH:
				return TRACE_PATH_EDEFAULT == null ? tracePath != null : !TRACE_PATH_EDEFAULT.equals(tracePath);
			case ModelPackage.APPLICATION__JOB:
				return job != JOB_EDEFAULT;
			case ModelPackage.APPLICATION__START_NS:
				return startNs != START_NS_EDEFAULT;
			case ModelPackage.APPLICATION__END_NS:
				return endNs != END_NS_EDEFAULT;
			case ModelPackage.APPLICATION__MODE:
				return mode != MODE_EDEFAULT;
			case ModelPackage.APPLICATION__TRACE:
				return TRACE_EDEFAULT == null ? trace != null : !TRACE_EDEFAULT.equals(trace);
			case ModelPackage.APPLICATION__PROCESSES:
				return processes != null && !processes.isEmpty();
			case ModelPackage.APPLICATION__PROCEDURES:
				return procedures != null && !procedures.isEmpty();
		}
		return super.eIsSet(featureID);
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public String toString() {
		if (eIsProxy()) return super.toString();

		StringBuilder result = new StringBuilder(super.toString());
		result.append(" (name: ");
		result.append(name);
		result.append(", command: ");
		result.append(command);
		result.append(", tracePath: ");
		result.append(tracePath);
		result.append(", job: ");
		result.append(job);
		result.append(", startNs: ");
		result.append(startNs);
		result.append(", endNs: ");
		result.append(endNs);
		result.append(", mode: ");
		result.append(mode);
		result.append(", trace: ");
		result.append(trace);
		result.append(')');
		return result.toString();
	}

} //ApplicationImpl
