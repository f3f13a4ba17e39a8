/** Reports that environment variables are missing or invalid. The message contains one line per problem. */
export class ConfigurationError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(formatProblems(problems), options);
    this.name = 'ConfigurationError';
    this.problems = problems;
  }
}

/**
 * Formats problems as a message: a single problem on the line of the title, several problems on a line each below it.
 */
function formatProblems(problems: readonly string[]): string {
  const title = 'The configuration is not valid:';
  return problems.length === 1
    ? `${title} ${problems.join('')}`
    : [title, ...problems.map((problem) => `  ${problem}`)].join('\n');
}
