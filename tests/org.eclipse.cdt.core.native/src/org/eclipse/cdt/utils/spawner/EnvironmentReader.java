package org.eclipse.cdt.utils.spawner;

import java.util.Properties;

/** The environment of this process: all that CDT's model wants of its native code. */
public final class EnvironmentReader {
  private EnvironmentReader() {
  }

  public static Properties getEnvVars() {
    Properties variables = new Properties();
    variables.putAll(System.getenv());
    return variables;
  }

  public static String getEnvVar(String name) {
    return System.getenv(name);
  }
}
