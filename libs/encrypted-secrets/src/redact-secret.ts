/**
 * Minimum length of a secret that is redacted. Shorter keys, such as `none` for a local server, occur as words in
 * ordinary text.
 */
const MIN_SECRET_LENGTH = 8;

/** Replaces a secret in a text by `[redacted]`, so that the text can be logged. */
export function redactSecretInText(text: string, secret: string | undefined): string {
  return secret === undefined || secret.length < MIN_SECRET_LENGTH ? text : text.replaceAll(secret, '[redacted]');
}

/**
 * Replaces a secret in the messages and stacks of an error and of its causes. Changes the error itself, so that it can
 * be logged.
 */
export function redactSecretInError(error: unknown, secret: string | undefined): void {
  for (let next = error; next instanceof Error; next = next.cause) {
    next.message = redactSecretInText(next.message, secret);
    if (next.stack !== undefined) next.stack = redactSecretInText(next.stack, secret);
  }
}
