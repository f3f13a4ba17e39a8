import { readFileSync } from 'node:fs';
import { parse, ValidationError, type Shape } from '@quarry/validation';

/** A service cannot start with the environment it was given. The message has a line for each variable that is wrong. */
export class ConfigurationError extends Error {
  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(['The configuration is not valid:', ...problems.map((problem) => `  ${problem}`)].join('\n'), options);
    this.name = 'ConfigurationError';
  }
}

/**
 * Reads the variables that `shape` declares. A variable can also be given as a file that holds its value, under its name with
 * `_FILE` behind it, as container secrets are. An empty variable counts as absent.
 *
 * @param shape a class whose fields are named as the variables are
 * @throws ConfigurationError with all problems at once
 */
export function parseEnvironment<T extends object>(shape: Shape<T>, environment: NodeJS.ProcessEnv): T {
  const present = Object.entries(environment).filter(([, value]) => value !== undefined && value !== '');
  try {
    return parse(shape, { ...Object.fromEntries(present), ...valuesFromFiles(present) }, 'ignore');
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw new ConfigurationError(
      error.issues.map((issue) => `${issue.path} ${issue.message}`),
      { cause: error },
    );
  }
}

function valuesFromFiles(present: readonly [string, string | undefined][]): Record<string, string> {
  const files = present.filter(([name]) => name.startsWith('QUARRY_') && name.endsWith('_FILE'));
  return Object.fromEntries(
    files.map(([name, path]) => [name.slice(0, -'_FILE'.length), readValue(name, String(path))]),
  );
}

function readValue(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new ConfigurationError([`${name} names the file ${path}, which cannot be read`], { cause: error });
  }
}
