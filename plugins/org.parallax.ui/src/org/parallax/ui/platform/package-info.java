/**
 * What all parts of the plug-in take from the workbench: the log, icons, ids, settings, the UI thread, the progress
 * of jobs, other installed plug-ins and the native programs. Refers to no other package of the plug-in.
 */
package org.parallax.ui.platform;
