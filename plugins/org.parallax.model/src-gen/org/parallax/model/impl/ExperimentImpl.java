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

import org.eclipse.emf.ecore.util.EDataTypeEList;
import org.eclipse.emf.ecore.util.EObjectContainmentEList;
import org.eclipse.emf.ecore.util.InternalEList;

import org.parallax.model.DesignRun;
import org.parallax.model.Experiment;
import org.parallax.model.Factor;
import org.parallax.model.ModelPackage;
import org.parallax.model.Response;
import org.parallax.model.Trial;

/**
 * <!-- begin-user-doc -->
 * An implementation of the model object '<em><b>Experiment</b></em>'.
 * <!-- end-user-doc -->
 * <p>
 * The following features are implemented:
 * </p>
 * <ul>
 *   <li>{@link org.parallax.model.impl.ExperimentImpl#getArguments <em>Arguments</em>}</li>
 *   <li>{@link org.parallax.model.impl.ExperimentImpl#getDirectory <em>Directory</em>}</li>
 *   <li>{@link org.parallax.model.impl.ExperimentImpl#getProgram <em>Program</em>}</li>
 *   <li>{@link org.parallax.model.impl.ExperimentImpl#getLibraries <em>Libraries</em>}</li>
 *   <li>{@link org.parallax.model.impl.ExperimentImpl#getBuilds <em>Builds</em>}</li>
 *   <li>{@link org.parallax.model.impl.ExperimentImpl#getDesign <em>Design</em>}</li>
 *   <li>{@link org.parallax.model.impl.ExperimentImpl#getDesignName <em>Design Name</em>}</li>
 *   <li>{@link org.parallax.model.impl.ExperimentImpl#getLevels <em>Levels</em>}</li>
 *   <li>{@link org.parallax.model.impl.ExperimentImpl#getReplicates <em>Replicates</em>}</li>
 *   <li>{@link org.parallax.model.impl.ExperimentImpl#getWarmups <em>Warmups</em>}</li>
 *   <li>{@link org.parallax.model.impl.ExperimentImpl#getSeed <em>Seed</em>}</li>
 *   <li>{@link org.parallax.model.impl.ExperimentImpl#getTimeoutSeconds <em>Timeout Seconds</em>}</li>
 *   <li>{@link org.parallax.model.impl.ExperimentImpl#getAttempts <em>Attempts</em>}</li>
 *   <li>{@link org.parallax.model.impl.ExperimentImpl#getFactors <em>Factors</em>}</li>
 *   <li>{@link org.parallax.model.impl.ExperimentImpl#getResponses <em>Responses</em>}</li>
 *   <li>{@link org.parallax.model.impl.ExperimentImpl#getRuns <em>Runs</em>}</li>
 *   <li>{@link org.parallax.model.impl.ExperimentImpl#getTrials <em>Trials</em>}</li>
 * </ul>
 *
 * @generated
 */
public class ExperimentImpl extends MinimalEObjectImpl.Container implements Experiment {
	/**
	 * The cached value of the '{@link #getArguments() <em>Arguments</em>}' attribute list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getArguments()
	 * @generated
	 * @ordered
	 */
	protected EList<String> arguments;

	/**
	 * The default value of the '{@link #getDirectory() <em>Directory</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getDirectory()
	 * @generated
	 * @ordered
	 */
	protected static final String DIRECTORY_EDEFAULT = null;

	/**
	 * The cached value of the '{@link #getDirectory() <em>Directory</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getDirectory()
	 * @generated
	 * @ordered
	 */
	protected String directory = DIRECTORY_EDEFAULT;

	/**
	 * The default value of the '{@link #getProgram() <em>Program</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getProgram()
	 * @generated
	 * @ordered
	 */
	protected static final String PROGRAM_EDEFAULT = null;

	/**
	 * The cached value of the '{@link #getProgram() <em>Program</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getProgram()
	 * @generated
	 * @ordered
	 */
	protected String program = PROGRAM_EDEFAULT;

	/**
	 * The cached value of the '{@link #getLibraries() <em>Libraries</em>}' attribute list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getLibraries()
	 * @generated
	 * @ordered
	 */
	protected EList<String> libraries;

	/**
	 * The cached value of the '{@link #getBuilds() <em>Builds</em>}' attribute list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getBuilds()
	 * @generated
	 * @ordered
	 */
	protected EList<String> builds;

	/**
	 * The default value of the '{@link #getDesign() <em>Design</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getDesign()
	 * @generated
	 * @ordered
	 */
	protected static final String DESIGN_EDEFAULT = null;

	/**
	 * The cached value of the '{@link #getDesign() <em>Design</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getDesign()
	 * @generated
	 * @ordered
	 */
	protected String design = DESIGN_EDEFAULT;

	/**
	 * The default value of the '{@link #getDesignName() <em>Design Name</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getDesignName()
	 * @generated
	 * @ordered
	 */
	protected static final String DESIGN_NAME_EDEFAULT = null;

	/**
	 * The cached value of the '{@link #getDesignName() <em>Design Name</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getDesignName()
	 * @generated
	 * @ordered
	 */
	protected String designName = DESIGN_NAME_EDEFAULT;

	/**
	 * The default value of the '{@link #getLevels() <em>Levels</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getLevels()
	 * @generated
	 * @ordered
	 */
	protected static final int LEVELS_EDEFAULT = 2;

	/**
	 * The cached value of the '{@link #getLevels() <em>Levels</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getLevels()
	 * @generated
	 * @ordered
	 */
	protected int levels = LEVELS_EDEFAULT;

	/**
	 * The default value of the '{@link #getReplicates() <em>Replicates</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getReplicates()
	 * @generated
	 * @ordered
	 */
	protected static final int REPLICATES_EDEFAULT = 1;

	/**
	 * The cached value of the '{@link #getReplicates() <em>Replicates</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getReplicates()
	 * @generated
	 * @ordered
	 */
	protected int replicates = REPLICATES_EDEFAULT;

	/**
	 * The default value of the '{@link #getWarmups() <em>Warmups</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getWarmups()
	 * @generated
	 * @ordered
	 */
	protected static final int WARMUPS_EDEFAULT = 1;

	/**
	 * The cached value of the '{@link #getWarmups() <em>Warmups</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getWarmups()
	 * @generated
	 * @ordered
	 */
	protected int warmups = WARMUPS_EDEFAULT;

	/**
	 * The default value of the '{@link #getSeed() <em>Seed</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getSeed()
	 * @generated
	 * @ordered
	 */
	protected static final long SEED_EDEFAULT = 0L;

	/**
	 * The cached value of the '{@link #getSeed() <em>Seed</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getSeed()
	 * @generated
	 * @ordered
	 */
	protected long seed = SEED_EDEFAULT;

	/**
	 * The default value of the '{@link #getTimeoutSeconds() <em>Timeout Seconds</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getTimeoutSeconds()
	 * @generated
	 * @ordered
	 */
	protected static final double TIMEOUT_SECONDS_EDEFAULT = 0.0;

	/**
	 * The cached value of the '{@link #getTimeoutSeconds() <em>Timeout Seconds</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getTimeoutSeconds()
	 * @generated
	 * @ordered
	 */
	protected double timeoutSeconds = TIMEOUT_SECONDS_EDEFAULT;

	/**
	 * The default value of the '{@link #getAttempts() <em>Attempts</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getAttempts()
	 * @generated
	 * @ordered
	 */
	protected static final int ATTEMPTS_EDEFAULT = 3;

	/**
	 * The cached value of the '{@link #getAttempts() <em>Attempts</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getAttempts()
	 * @generated
	 * @ordered
	 */
	protected int attempts = ATTEMPTS_EDEFAULT;

	/**
	 * The cached value of the '{@link #getFactors() <em>Factors</em>}' containment reference list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getFactors()
	 * @generated
	 * @ordered
	 */
	protected EList<Factor> factors;

	/**
	 * The cached value of the '{@link #getResponses() <em>Responses</em>}' containment reference list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getResponses()
	 * @generated
	 * @ordered
	 */
	protected EList<Response> responses;

	/**
	 * The cached value of the '{@link #getRuns() <em>Runs</em>}' containment reference list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getRuns()
	 * @generated
	 * @ordered
	 */
	protected EList<DesignRun> runs;

	/**
	 * The cached value of the '{@link #getTrials() <em>Trials</em>}' containment reference list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getTrials()
	 * @generated
	 * @ordered
	 */
	protected EList<Trial> trials;

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	protected ExperimentImpl() {
		super();
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	protected EClass eStaticClass() {
		return ModelPackage.Literals.EXPERIMENT;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public EList<String> getArguments() {
		if (arguments == null) {
			arguments = new EDataTypeEList<String>(String.class, this, ModelPackage.EXPERIMENT__ARGUMENTS);
		}
		return arguments;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public String getDirectory() {
		return directory;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setDirectory(String newDirectory) {
		String oldDirectory = directory;
		directory = newDirectory;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.EXPERIMENT__DIRECTORY, oldDirectory, directory));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public String getProgram() {
		return program;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setProgram(String newProgram) {
		String oldProgram = program;
		program = newProgram;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.EXPERIMENT__PROGRAM, oldProgram, program));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public EList<String> getLibraries() {
		if (libraries == null) {
			libraries = new EDataTypeEList<String>(String.class, this, ModelPackage.EXPERIMENT__LIBRARIES);
		}
		return libraries;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public EList<String> getBuilds() {
		if (builds == null) {
			builds = new EDataTypeEList<String>(String.class, this, ModelPackage.EXPERIMENT__BUILDS);
		}
		return builds;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public String getDesign() {
		return design;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setDesign(String newDesign) {
		String oldDesign = design;
		design = newDesign;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.EXPERIMENT__DESIGN, oldDesign, design));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public String getDesignName() {
		return designName;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setDesignName(String newDesignName) {
		String oldDesignName = designName;
		designName = newDesignName;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.EXPERIMENT__DESIGN_NAME, oldDesignName, designName));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public int getLevels() {
		return levels;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setLevels(int newLevels) {
		int oldLevels = levels;
		levels = newLevels;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.EXPERIMENT__LEVELS, oldLevels, levels));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public int getReplicates() {
		return replicates;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setReplicates(int newReplicates) {
		int oldReplicates = replicates;
		replicates = newReplicates;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.EXPERIMENT__REPLICATES, oldReplicates, replicates));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public int getWarmups() {
		return warmups;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setWarmups(int newWarmups) {
		int oldWarmups = warmups;
		warmups = newWarmups;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.EXPERIMENT__WARMUPS, oldWarmups, warmups));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public long getSeed() {
		return seed;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setSeed(long newSeed) {
		long oldSeed = seed;
		seed = newSeed;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.EXPERIMENT__SEED, oldSeed, seed));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public double getTimeoutSeconds() {
		return timeoutSeconds;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setTimeoutSeconds(double newTimeoutSeconds) {
		double oldTimeoutSeconds = timeoutSeconds;
		timeoutSeconds = newTimeoutSeconds;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.EXPERIMENT__TIMEOUT_SECONDS, oldTimeoutSeconds, timeoutSeconds));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public int getAttempts() {
		return attempts;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setAttempts(int newAttempts) {
		int oldAttempts = attempts;
		attempts = newAttempts;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.EXPERIMENT__ATTEMPTS, oldAttempts, attempts));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public EList<Factor> getFactors() {
		if (factors == null) {
			factors = new EObjectContainmentEList<Factor>(Factor.class, this, ModelPackage.EXPERIMENT__FACTORS);
		}
		return factors;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public EList<Response> getResponses() {
		if (responses == null) {
			responses = new EObjectContainmentEList<Response>(Response.class, this, ModelPackage.EXPERIMENT__RESPONSES);
		}
		return responses;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public EList<DesignRun> getRuns() {
		if (runs == null) {
			runs = new EObjectContainmentEList<DesignRun>(DesignRun.class, this, ModelPackage.EXPERIMENT__RUNS);
		}
		return runs;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public EList<Trial> getTrials() {
		if (trials == null) {
			trials = new EObjectContainmentEList<Trial>(Trial.class, this, ModelPackage.EXPERIMENT__TRIALS);
		}
		return trials;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public NotificationChain eInverseRemove(InternalEObject otherEnd, int featureID, NotificationChain msgs) {
		switch (featureID) {
			case ModelPackage.EXPERIMENT__FACTORS:
				return ((InternalEList<?>)getFactors()).basicRemove(otherEnd, msgs);
			case ModelPackage.EXPERIMENT__RESPONSES:
				return ((InternalEList<?>)getResponses()).basicRemove(otherEnd, msgs);
			case ModelPackage.EXPERIMENT__RUNS:
				return ((InternalEList<?>)getRuns()).basicRemove(otherEnd, msgs);
			case ModelPackage.EXPERIMENT__TRIALS:
				return ((InternalEList<?>)getTrials()).basicRemove(otherEnd, msgs);
		}
		return super.eInverseRemove(otherEnd, featureID, msgs);
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public Object eGet(int featureID, boolean resolve, boolean coreType) {
		switch (featureID) {
			case ModelPackage.EXPERIMENT__ARGUMENTS:
				return getArguments();
			case ModelPackage.EXPERIMENT__DIRECTORY:
				return getDirectory();
			case ModelPackage.EXPERIMENT__PROGRAM:
				return getProgram();
			case ModelPackage.EXPERIMENT__LIBRARIES:
				return getLibraries();
			case ModelPackage.EXPERIMENT__BUILDS:
				return getBuilds();
			case ModelPackage.EXPERIMENT__DESIGN:
				return getDesign();
			case ModelPackage.EXPERIMENT__DESIGN_NAME:
				return getDesignName();
			case ModelPackage.EXPERIMENT__LEVELS:
				return getLevels();
			case ModelPackage.EXPERIMENT__REPLICATES:
				return getReplicates();
			case ModelPackage.EXPERIMENT__WARMUPS:
				return getWarmups();
			case ModelPackage.EXPERIMENT__SEED:
				return getSeed();
			case ModelPackage.EXPERIMENT__TIMEOUT_SECONDS:
				return getTimeoutSeconds();
			case ModelPackage.EXPERIMENT__ATTEMPTS:
				return getAttempts();
			case ModelPackage.EXPERIMENT__FACTORS:
				return getFactors();
			case ModelPackage.EXPERIMENT__RESPONSES:
				return getResponses();
			case ModelPackage.EXPERIMENT__RUNS:
				return getRuns();
			case ModelPackage.EXPERIMENT__TRIALS:
				return getTrials();
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
			case ModelPackage.EXPERIMENT__ARGUMENTS:
				getArguments().clear();
				getArguments().addAll((Collection<? extends String>)newValue);
				return;
			case ModelPackage.EXPERIMENT__DIRECTORY:
				setDirectory((String)newValue);
				return;
			case ModelPackage.EXPERIMENT__PROGRAM:
				setProgram((String)newValue);
				return;
			case ModelPackage.EXPERIMENT__LIBRARIES:
				getLibraries().clear();
				getLibraries().addAll((Collection<? extends String>)newValue);
				return;
			case ModelPackage.EXPERIMENT__BUILDS:
				getBuilds().clear();
				getBuilds().addAll((Collection<? extends String>)newValue);
				return;
			case ModelPackage.EXPERIMENT__DESIGN:
				setDesign((String)newValue);
				return;
			case ModelPackage.EXPERIMENT__DESIGN_NAME:
				setDesignName((String)newValue);
				return;
			case ModelPackage.EXPERIMENT__LEVELS:
				setLevels((Integer)newValue);
				return;
			case ModelPackage.EXPERIMENT__REPLICATES:
				setReplicates((Integer)newValue);
				return;
			case ModelPackage.EXPERIMENT__WARMUPS:
				setWarmups((Integer)newValue);
				return;
			case ModelPackage.EXPERIMENT__SEED:
				setSeed((Long)newValue);
				return;
			case ModelPackage.EXPERIMENT__TIMEOUT_SECONDS:
				setTimeoutSeconds((Double)newValue);
				return;
			case ModelPackage.EXPERIMENT__ATTEMPTS:
				setAttempts((Integer)newValue);
				return;
			case ModelPackage.EXPERIMENT__FACTORS:
				getFactors().clear();
				getFactors().addAll((Collection<? extends Factor>)newValue);
				return;
			case ModelPackage.EXPERIMENT__RESPONSES:
				getResponses().clear();
				getResponses().addAll((Collection<? extends Response>)newValue);
				return;
			case ModelPackage.EXPERIMENT__RUNS:
				getRuns().clear();
				getRuns().addAll((Collection<? extends DesignRun>)newValue);
				return;
			case ModelPackage.EXPERIMENT__TRIALS:
				getTrials().clear();
				getTrials().addAll((Collection<? extends Trial>)newValue);
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
			case ModelPackage.EXPERIMENT__ARGUMENTS:
				getArguments().clear();
				return;
			case ModelPackage.EXPERIMENT__DIRECTORY:
				setDirectory(DIRECTORY_EDEFAULT);
				return;
			case ModelPackage.EXPERIMENT__PROGRAM:
				setProgram(PROGRAM_EDEFAULT);
				return;
			case ModelPackage.EXPERIMENT__LIBRARIES:
				getLibraries().clear();
				return;
			case ModelPackage.EXPERIMENT__BUILDS:
				getBuilds().clear();
				return;
			case ModelPackage.EXPERIMENT__DESIGN:
				setDesign(DESIGN_EDEFAULT);
				return;
			case ModelPackage.EXPERIMENT__DESIGN_NAME:
				setDesignName(DESIGN_NAME_EDEFAULT);
				return;
			case ModelPackage.EXPERIMENT__LEVELS:
				setLevels(LEVELS_EDEFAULT);
				return;
			case ModelPackage.EXPERIMENT__REPLICATES:
				setReplicates(REPLICATES_EDEFAULT);
				return;
			case ModelPackage.EXPERIMENT__WARMUPS:
				setWarmups(WARMUPS_EDEFAULT);
				return;
			case ModelPackage.EXPERIMENT__SEED:
				setSeed(SEED_EDEFAULT);
				return;
			case ModelPackage.EXPERIMENT__TIMEOUT_SECONDS:
				setTimeoutSeconds(TIMEOUT_SECONDS_EDEFAULT);
				return;
			case ModelPackage.EXPERIMENT__ATTEMPTS:
				setAttempts(ATTEMPTS_EDEFAULT);
				return;
			case ModelPackage.EXPERIMENT__FACTORS:
				getFactors().clear();
				return;
			case ModelPackage.EXPERIMENT__RESPONSES:
				getResponses().clear();
				return;
			case ModelPackage.EXPERIMENT__RUNS:
				getRuns().clear();
				return;
			case ModelPackage.EXPERIMENT__TRIALS:
				getTrials().clear();
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
			case ModelPackage.EXPERIMENT__ARGUMENTS:
				return arguments != null && !arguments.isEmpty();
			case ModelPackage.EXPERIMENT__DIRECTORY:
				return DIRECTORY_EDEFAULT == null ? directory != null : !DIRECTORY_EDEFAULT.equals(directory);
			case ModelPackage.EXPERIMENT__PROGRAM:
				return PROGRAM_EDEFAULT == null ? program != null : !PROGRAM_EDEFAULT.equals(program);
			case ModelPackage.EXPERIMENT__LIBRARIES:
				return libraries != null && !libraries.isEmpty();
			case ModelPackage.EXPERIMENT__BUILDS:
				return builds != null && !builds.isEmpty();
			case ModelPackage.EXPERIMENT__DESIGN:
				return DESIGN_EDEFAULT == null ? design != null : !DESIGN_EDEFAULT.equals(design);
			case ModelPackage.EXPERIMENT__DESIGN_NAME:
				return DESIGN_NAME_EDEFAULT == null ? designName != null : !DESIGN_NAME_EDEFAULT.equals(designName);
			case ModelPackage.EXPERIMENT__LEVELS:
				return levels != LEVELS_EDEFAULT;
			case ModelPackage.EXPERIMENT__REPLICATES:
				return replicates != REPLICATES_EDEFAULT;
			case ModelPackage.EXPERIMENT__WARMUPS:
				return warmups != WARMUPS_EDEFAULT;
			case ModelPackage.EXPERIMENT__SEED:
				return seed != SEED_EDEFAULT;
			case ModelPackage.EXPERIMENT__TIMEOUT_SECONDS:
				return timeoutSeconds != TIMEOUT_SECONDS_EDEFAULT;
			case ModelPackage.EXPERIMENT__ATTEMPTS:
				return attempts != ATTEMPTS_EDEFAULT;
			case ModelPackage.EXPERIMENT__FACTORS:
				return factors != null && !factors.isEmpty();
			case ModelPackage.EXPERIMENT__RESPONSES:
				return responses != null && !responses.isEmpty();
			case ModelPackage.EXPERIMENT__RUNS:
				return runs != null && !runs.isEmpty();
			case ModelPackage.EXPERIMENT__TRIALS:
				return trials != null && !trials.isEmpty();
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
		result.append(" (arguments: ");
		result.append(arguments);
		result.append(", directory: ");
		result.append(directory);
		result.append(", program: ");
		result.append(program);
		result.append(", libraries: ");
		result.append(libraries);
		result.append(", builds: ");
		result.append(builds);
		result.append(", design: ");
		result.append(design);
		result.append(", designName: ");
		result.append(designName);
		result.append(", levels: ");
		result.append(levels);
		result.append(", replicates: ");
		result.append(replicates);
		result.append(", warmups: ");
		result.append(warmups);
		result.append(", seed: ");
		result.append(seed);
		result.append(", timeoutSeconds: ");
		result.append(timeoutSeconds);
		result.append(", attempts: ");
		result.append(attempts);
		result.append(')');
		return result.toString();
	}

} //ExperimentImpl
