/**
 * Describes an invalid field. `path` contains field names and list positions, separated by dots, such as
 * `documents.3.text`. With an empty path, the issue concerns the whole value.
 */
export interface FieldIssue {
  readonly path: string;
  readonly message: string;
}

/** Reports that a value does not have the expected shape. The message lists all invalid fields. */
export class ValidationError extends Error {
  readonly issues: readonly FieldIssue[];

  constructor(subject: string, issues: readonly FieldIssue[]) {
    const listed = issues.map((issue) => (issue.path === '' ? issue.message : `${issue.path}: ${issue.message}`));
    super(`${subject} is not valid: ${listed.join('; ')}`);
    this.name = 'ValidationError';
    this.issues = issues;
  }
}
