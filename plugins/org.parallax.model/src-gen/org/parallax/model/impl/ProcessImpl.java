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
import org.parallax.model.Machine;
import org.parallax.model.ModelPackage;

/**
 * <!-- begin-user-doc -->
 * An implementation of the model object '<em><b>Process</b></em>'.
 * <!-- end-user-doc -->
 * <p>
 * The following features are implemented:
 * </p>
 * <ul>
 *   <li>{@link org.parallax.model.impl.ProcessImpl#getApplication <em>Application</em>}</li>
 *   <li>{@link org.parallax.model.impl.ProcessImpl#getMachine <em>Machine</em>}</li>
 *   <li>{@link org.parallax.model.impl.ProcessImpl#getName <em>Name</em>}</li>
 *   <li>{@link org.parallax.model.impl.ProcessImpl#getPid <em>Pid</em>}</li>
 *   <li>{@link org.parallax.model.impl.ProcessImpl#getWorldRank <em>World Rank</em>}</li>
 *   <li>{@link org.parallax.model.impl.ProcessImpl#getIndex <em>Index</em>}</li>
 *   <li>{@link org.parallax.model.impl.ProcessImpl#getThreads <em>Threads</em>}</li>
 *   <li>{@link org.parallax.model.impl.ProcessImpl#isThreadsNamed <em>Threads Named</em>}</li>
 * </ul>
 *
 * @generated
 */
public class ProcessImpl extends MinimalEObjectImpl.Container implements org.parallax.model.Process {
	/**
	 * The cached value of the '{@link #getMachine() <em>Machine</em>}' reference.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getMachine()
	 * @generated
	 * @ordered
	 */
	protected Machine machine;

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
	 * The default value of the '{@link #getPid() <em>Pid</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getPid()
	 * @generated
	 * @ordered
	 */
	protected static final int PID_EDEFAULT = 0;

	/**
	 * The cached value of the '{@link #getPid() <em>Pid</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getPid()
	 * @generated
	 * @ordered
	 */
	protected int pid = PID_EDEFAULT;

	/**
	 * The default value of the '{@link #getWorldRank() <em>World Rank</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getWorldRank()
	 * @generated
	 * @ordered
	 */
	protected static final int WORLD_RANK_EDEFAULT = -1;

	/**
	 * The cached value of the '{@link #getWorldRank() <em>World Rank</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getWorldRank()
	 * @generated
	 * @ordered
	 */
	protected int worldRank = WORLD_RANK_EDEFAULT;

	/**
	 * The default value of the '{@link #getIndex() <em>Index</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getIndex()
	 * @generated
	 * @ordered
	 */
	protected static final int INDEX_EDEFAULT = 0;

	/**
	 * The cached value of the '{@link #getIndex() <em>Index</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getIndex()
	 * @generated
	 * @ordered
	 */
	protected int index = INDEX_EDEFAULT;

	/**
	 * The cached value of the '{@link #getThreads() <em>Threads</em>}' containment reference list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getThreads()
	 * @generated
	 * @ordered
	 */
	protected EList<org.parallax.model.Thread> threads;

	/**
	 * The default value of the '{@link #isThreadsNamed() <em>Threads Named</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #isThreadsNamed()
	 * @generated
	 * @ordered
	 */
	protected static final boolean THREADS_NAMED_EDEFAULT = false;

	/**
	 * The cached value of the '{@link #isThreadsNamed() <em>Threads Named</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #isThreadsNamed()
	 * @generated
	 * @ordered
	 */
	protected boolean threadsNamed = THREADS_NAMED_EDEFAULT;

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	protected ProcessImpl() {
		super();
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	protected EClass eStaticClass() {
		return ModelPackage.Literals.PROCESS;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public Application getApplication() {
		if (eContainerFeatureID() != ModelPackage.PROCESS__APPLICATION) return null;
		return (Application)eInternalContainer();
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	public NotificationChain basicSetApplication(Application newApplication, NotificationChain msgs) {
		msgs = eBasicSetContainer((InternalEObject)newApplication, ModelPackage.PROCESS__APPLICATION, msgs);
		return msgs;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setApplication(Application newApplication) {
		if (newApplication != eInternalContainer() || (eContainerFeatureID() != ModelPackage.PROCESS__APPLICATION && newApplication != null)) {
			if (EcoreUtil.isAncestor(this, newApplication))
				throw new IllegalArgumentException("Recursive containment not allowed for " + toString());
			NotificationChain msgs = null;
			if (eInternalContainer() != null)
				msgs = eBasicRemoveFromContainer(msgs);
			if (newApplication != null)
				msgs = ((InternalEObject)newApplication).eInverseAdd(this, ModelPackage.APPLICATION__PROCESSES, Application.class, msgs);
			msgs = basicSetApplication(newApplication, msgs);
			if (msgs != null) msgs.dispatch();
		}
		else if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.PROCESS__APPLICATION, newApplication, newApplication));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public Machine getMachine() {
		if (machine != null && machine.eIsProxy()) {
			InternalEObject oldMachine = (InternalEObject)machine;
			machine = (Machine)eResolveProxy(oldMachine);
			if (machine != oldMachine) {
				if (eNotificationRequired())
					eNotify(new ENotificationImpl(this, Notification.RESOLVE, ModelPackage.PROCESS__MACHINE, oldMachine, machine));
			}
		}
		return machine;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	public Machine basicGetMachine() {
		return machine;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	public NotificationChain basicSetMachine(Machine newMachine, NotificationChain msgs) {
		Machine oldMachine = machine;
		machine = newMachine;
		if (eNotificationRequired()) {
			ENotificationImpl notification = new ENotificationImpl(this, Notification.SET, ModelPackage.PROCESS__MACHINE, oldMachine, newMachine);
			if (msgs == null) msgs = notification; else msgs.add(notification);
		}
		return msgs;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setMachine(Machine newMachine) {
		if (newMachine != machine) {
			NotificationChain msgs = null;
			if (machine != null)
				msgs = ((InternalEObject)machine).eInverseRemove(this, ModelPackage.MACHINE__PROCESSES, Machine.class, msgs);
			if (newMachine != null)
				msgs = ((InternalEObject)newMachine).eInverseAdd(this, ModelPackage.MACHINE__PROCESSES, Machine.class, msgs);
			msgs = basicSetMachine(newMachine, msgs);
			if (msgs != null) msgs.dispatch();
		}
		else if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.PROCESS__MACHINE, newMachine, newMachine));
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
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.PROCESS__NAME, oldName, name));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public int getPid() {
		return pid;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setPid(int newPid) {
		int oldPid = pid;
		pid = newPid;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.PROCESS__PID, oldPid, pid));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public int getWorldRank() {
		return worldRank;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setWorldRank(int newWorldRank) {
		int oldWorldRank = worldRank;
		worldRank = newWorldRank;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.PROCESS__WORLD_RANK, oldWorldRank, worldRank));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public int getIndex() {
		return index;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setIndex(int newIndex) {
		int oldIndex = index;
		index = newIndex;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.PROCESS__INDEX, oldIndex, index));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public EList<org.parallax.model.Thread> getThreads() {
		if (threads == null) {
			threads = new EObjectContainmentWithInverseEList<org.parallax.model.Thread>(org.parallax.model.Thread.class, this, ModelPackage.PROCESS__THREADS, ModelPackage.THREAD__PROCESS);
		}
		return threads;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public boolean isThreadsNamed() {
		return threadsNamed;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setThreadsNamed(boolean newThreadsNamed) {
		boolean oldThreadsNamed = threadsNamed;
		threadsNamed = newThreadsNamed;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.PROCESS__THREADS_NAMED, oldThreadsNamed, threadsNamed));
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
			case ModelPackage.PROCESS__APPLICATION:
				if (eInternalContainer() != null)
					msgs = eBasicRemoveFromContainer(msgs);
				return basicSetApplication((Application)otherEnd, msgs);
			case ModelPackage.PROCESS__MACHINE:
				if (machine != null)
					msgs = ((InternalEObject)machine).eInverseRemove(this, ModelPackage.MACHINE__PROCESSES, Machine.class, msgs);
				return basicSetMachine((Machine)otherEnd, msgs);
			case ModelPackage.PROCESS__THREADS:
				return ((InternalEList<InternalEObject>)(InternalEList<?>)getThreads()).basicAdd(otherEnd, msgs);
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
			case ModelPackage.PROCESS__APPLICATION:
				return basicSetApplication(null, msgs);
			case ModelPackage.PROCESS__MACHINE:
				return basicSetMachine(null, msgs);
			case ModelPackage.PROCESS__THREADS:
				return ((InternalEList<?>)getThreads()).basicRemove(otherEnd, msgs);
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
			case ModelPackage.PROCESS__APPLICATION:
				return eInternalContainer().eInverseRemove(this, ModelPackage.APPLICATION__PROCESSES, Application.class, msgs);
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
			case ModelPackage.PROCESS__APPLICATION:
				return getApplication();
			case ModelPackage.PROCESS__MACHINE:
				if (resolve) return getMachine();
				return basicGetMachine();
			case ModelPackage.PROCESS__NAME:
				return getName();
			case ModelPackage.PROCESS__PID:
				return getPid();
			case ModelPackage.PROCESS__WORLD_RANK:
				return getWorldRank();
			case ModelPackage.PROCESS__INDEX:
				return getIndex();
			case ModelPackage.PROCESS__THREADS:
				return getThreads();
			case ModelPackage.PROCESS__THREADS_NAMED:
				return isThreadsNamed();
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
			case ModelPackage.PROCESS__APPLICATION:
				setApplication((Application)newValue);
				return;
			case ModelPackage.PROCESS__MACHINE:
				setMachine((Machine)newValue);
				return;
			case ModelPackage.PROCESS__NAME:
				setName((String)newValue);
				return;
			case ModelPackage.PROCESS__PID:
				setPid((Integer)newValue);
				return;
			case ModelPackage.PROCESS__WORLD_RANK:
				setWorldRank((Integer)newValue);
				return;
			case ModelPackage.PROCESS__INDEX:
				setIndex((Integer)newValue);
				return;
			case ModelPackage.PROCESS__THREADS:
				getThreads().clear();
				getThreads().addAll((Collection<? extends org.parallax.model.Thread>)newValue);
				return;
			case ModelPackage.PROCESS__THREADS_NAMED:
				setThreadsNamed((Boolean)newValue);
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
			case ModelPackage.PROCESS__APPLICATION:
				setApplication((Application)null);
				return;
			case ModelPackage.PROCESS__MACHINE:
				setMachine((Machine)null);
				return;
			case ModelPackage.PROCESS__NAME:
				setName(NAME_EDEFAULT);
				return;
			case ModelPackage.PROCESS__PID:
				setPid(PID_EDEFAULT);
				return;
			case ModelPackage.PROCESS__WORLD_RANK:
				setWorldRank(WORLD_RANK_EDEFAULT);
				return;
			case ModelPackage.PROCESS__INDEX:
				setIndex(INDEX_EDEFAULT);
				return;
			case ModelPackage.PROCESS__THREADS:
				getThreads().clear();
				return;
			case ModelPackage.PROCESS__THREADS_NAMED:
				setThreadsNamed(THREADS_NAMED_EDEFAULT);
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
			case ModelPackage.PROCESS__APPLICATION:
				return getApplication() != null;
			case ModelPackage.PROCESS__MACHINE:
				return machine != null;
			case ModelPackage.PROCESS__NAME:
				return NAME_EDEFAULT == null ? name != null : !NAME_EDEFAULT.equals(name);
			case ModelPackage.PROCESS__PID:
				return pid != PID_EDEFAULT;
			case ModelPackage.PROCESS__WORLD_RANK:
				return worldRank != WORLD_RANK_EDEFAULT;
			case ModelPackage.PROCESS__INDEX:
				return index != INDEX_EDEFAULT;
			case ModelPackage.PROCESS__THREADS:
				return threads != null && !threads.isEmpty();
			case ModelPackage.PROCESS__THREADS_NAMED:
				return threadsNamed != THREADS_NAMED_EDEFAULT;
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
		result.append(", pid: ");
		result.append(pid);
		result.append(", worldRank: ");
		result.append(worldRank);
		result.append(", index: ");
		result.append(index);
		result.append(", threadsNamed: ");
		result.append(threadsNamed);
		result.append(')');
		return result.toString();
	}

} //ProcessImpl
