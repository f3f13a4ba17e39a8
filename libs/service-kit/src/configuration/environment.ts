import { readFileSync } from 'node:fs';
import { fieldsOf, parse, ValidationError, type Shape } from '@quarry/validation';

/** A service cannot start with the environment it was given. The message has a line for each variable that is wrong. */
export class ConfigurationError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(['The configuration is not valid:', ...problems.map((problem) => `  ${problem}`)].join('\n'), options);
    this.name = 'ConfigurationError';
    this.problems = problems;
  }
}

/**
 * Reads the variables that `shape` declares. Each can also be given as a file that holds its value, under its name with
 * `_FILE` behind it, as container secrets are. An empty variable counts as absent, and so does an empty file.
 *
 * @param shape a class whose fields are named as the variables are
 * @throws ConfigurationError with all problems at once
 */
export function parseEnvironment<T extends object>(shape: Shape<T>, environment: NodeJS.ProcessEnv): T {
  const found = fieldsOf(shape).map((name) => [name, valueOf(name, environment)] as const);
  try {
    return parse(shape, Object.fromEntries(found.filter(([, value]) => value !== undefined)), 'ignore');
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw new ConfigurationError(
      error.issues.map((issue) => `${issue.path} ${issue.message}`),
      { cause: error },
    );
  }
}

/** A value in the environment itself wins over a file. */
function valueOf(name: string, environment: NodeJS.ProcessEnv): string | undefined {
  const given = present(environment[name]);
  const file = present(environment[`${name}_FILE`]);
  if (given !== undefined || file === undefined) return given;
  return present(readValue(`${name}_FILE`, file));
}

function present(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

function readValue(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new ConfigurationError([`${name} names the file ${path}, which cannot be read`], { cause: error });
  }
}
