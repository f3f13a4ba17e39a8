import { ConfigurationError } from './configuration-error.js';

/** Reads one part of a configuration from the environment. @throws ConfigurationError */
export type PartReader<T> = (environment: NodeJS.ProcessEnv) => T;

/**
 * Reads a configuration with one reader for each of its parts.
 *
 * @throws ConfigurationError with the problems of all parts, each problem once
 */
export function readConfigParts<Parts extends object>(
  environment: NodeJS.ProcessEnv,
  readers: { readonly [Name in keyof Parts]: PartReader<Parts[Name]> },
): Parts {
  const problems = new Set<string>();
  const parts = Object.entries<PartReader<unknown>>(readers).map(([name, read]) => {
    try {
      return [name, read(environment)];
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      for (const problem of error.problems) problems.add(problem);
      return [name, undefined];
    }
  });
  if (problems.size > 0) throw new ConfigurationError([...problems]);
  return Object.fromEntries(parts) as Parts; // every name of Parts has a reader, whose result this is
}
