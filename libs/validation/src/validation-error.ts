/** One thing wrong with one field. `path` is dotted, array positions included: `documents.3.text`; `''` is the whole value. */
export interface FieldIssue {
  readonly path: string;
  readonly message: string;
}

/** A value from outside does not have the shape that was asked for. The message names every field that is wrong. */
export class ValidationError extends Error {
  readonly issues: readonly FieldIssue[];

  constructor(subject: string, issues: readonly FieldIssue[]) {
    const listed = issues.map((issue) => (issue.path === '' ? issue.message : `${issue.path}: ${issue.message}`));
    super(`${subject} is not valid: ${listed.join('; ')}`);
    this.name = 'ValidationError';
    this.issues = issues;
  }
}
