const PROBLEMS = [
  [/no valid URL|expected a host name/, 'addressInvalid'],
  [/expected an http or https URL/, 'addressScheme'],
  [/without user name and password/, 'addressCredentials'],
  [/expected a port for HTTP/, 'addressPort'],
  [/^must be a public address/, 'addressPrivate'],
] as const;

/** Finds the text of the console for the reason why the API refused an address. Undefined for other reasons. */
export function findAddressProblem(problem: string): (typeof PROBLEMS)[number][1] | undefined {
  return PROBLEMS.find(([pattern]) => pattern.test(problem))?.[1];
}
