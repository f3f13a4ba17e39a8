import { readFileSync } from 'node:fs';
import { listFieldNames, parse, ValidationError, type Shape } from '@quarry/validation';
import { ConfigurationError } from './configuration-error.js';

/**
 * Parses the variables that `shape` declares. The value of a variable can also be in a file, for example a container
 * secret: the variable `<name>_FILE` then contains the path of the file. An empty variable or file counts as absent.
 *
 * @param shape a class whose fields have the names of the variables
 * @throws ConfigurationError with all problems at once
 */
export function parseEnvironment<T extends object>(shape: Shape<T>, environment: NodeJS.ProcessEnv): T {
  const found = listFieldNames(shape).map((name) => [name, readVariable(name, environment)] as const);
  try {
    return parse(shape, Object.fromEntries(found.filter(([, value]) => value !== undefined)), 'ignore');
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw new ConfigurationError(
      error.issues.map(
        ({ path, message }) => `${path} ${isSecretVariable(path) ? redactValueInMessage(message) : message}`,
      ),
      { cause: error },
    );
  }
}

/** Matches the names of secret variables. Addresses are secret, too, because they may contain a password. */
const SECRET = /(KEY|KEYS|TOKEN|SECRET|PASSWORD|URL)$/;

function isSecretVariable(variable: string): boolean {
  return SECRET.test(variable);
}

/** Removes the part `, found "…"` of a message, and states that the value is not shown. */
function redactValueInMessage(message: string): string {
  return message.replace(/, found ".*$/s, ' (the value is not shown)');
}

/**
 * Returns the value of a variable, from the environment or from the file that `<name>_FILE` names. If both are set,
 * returns the value from the environment.
 */
function readVariable(name: string, environment: NodeJS.ProcessEnv): string | undefined {
  const given = convertEmptyToUndefined(environment[name]);
  const file = convertEmptyToUndefined(environment[`${name}_FILE`]);
  if (given !== undefined || file === undefined) return given;
  return convertEmptyToUndefined(readVariableFile(`${name}_FILE`, file));
}

function convertEmptyToUndefined(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

function readVariableFile(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new ConfigurationError([`${name} names the file ${path}, which cannot be read`], { cause: error });
  }
}
