/** What all commands are made of: options and arguments, failures, and where they print. */
package org.parallax.cli.command;
