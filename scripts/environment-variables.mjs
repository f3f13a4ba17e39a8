import { readFileSync } from 'node:fs';

/**
 * Returns the value of an environment variable, or of the file that `<name>_FILE` names. As in the services, an empty
 * variable or file counts as absent. Returns undefined if both are absent.
 */
export function readVariable(name, environment = process.env) {
  const value = environment[name] || undefined;
  const file = environment[`${name}_FILE`] || undefined;
  return value ?? (file === undefined ? undefined : readVariableFile(`${name}_FILE`, file));
}

function readVariableFile(name, path) {
  try {
    return readFileSync(path, 'utf8').trim() || undefined;
  } catch (cause) {
    throw new Error(`${name} names the file ${path}, which cannot be read`, { cause });
  }
}

/** Returns those of the given default values whose variables are not set. */
export function selectDefaults(defaults, environment = process.env) {
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => readVariable(name, environment) === undefined));
}
