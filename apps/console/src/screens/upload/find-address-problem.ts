const PROBLEMS = [
  [/no valid URL|expected a host name/, 'addressInvalid'],
  [/expected an http or https URL/, 'addressScheme'],
  [/without user name and password/, 'addressCredentials'],
  [/expected a port for HTTP/, 'addressPort'],
  [/^must be a public address/, 'addressPrivate'],
] as const;

/**
 * Returns the message key for the reason why the API refused an address. Returns undefined if the console has no
 * message for it.
 */
export function findAddressProblem(problem: string): (typeof PROBLEMS)[number][1] | undefined {
  return PROBLEMS.find(([pattern]) => pattern.test(problem))?.[1];
}
