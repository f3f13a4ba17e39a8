import { readFileSync } from 'node:fs';
import { fieldsOf, parse, ValidationError, type Shape } from '@quarry/validation';

/** A service cannot start with the environment it was given. The message has a line for each variable that is wrong. */
export class ConfigurationError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(messageOf(problems), options);
    this.name = 'ConfigurationError';
    this.problems = problems;
  }
}

/** One problem stands on the same line; several have a line each. */
function messageOf(problems: readonly string[]): string {
  const title = 'The configuration is not valid:';
  return problems.length === 1
    ? `${title} ${problems.join('')}`
    : [title, ...problems.map((problem) => `  ${problem}`)].join('\n');
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
      error.issues.map(({ path, message }) => `${path} ${isSecret(path) ? withoutValue(message) : message}`),
      { cause: error },
    );
  }
}

/** Addresses are secrets, too: they may contain a password. */
const SECRET = /(KEY|KEYS|TOKEN|SECRET|PASSWORD|URL)$/;

function isSecret(variable: string): boolean {
  return SECRET.test(variable);
}

function withoutValue(message: string): string {
  return message.replace(/, found ".*$/s, ' (the value is not shown)');
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
