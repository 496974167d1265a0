/** The commands that write session files and run saved launches. */
package org.parallax.cli.session;
