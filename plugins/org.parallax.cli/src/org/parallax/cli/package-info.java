/**
 * The command line of everything that reads traces: a plain Java program that starts fast. Commands
 * print what analyses give, as text, CSV or JSON, and add no analysis of their own.
 */
package org.parallax.cli;
