/**
 * The catalogue of reports: what can be reported, with which parameters, and how it is made. The
 * command line, the views and other plug-ins take it from here.
 */
package org.parallax.analysis.catalogue;
