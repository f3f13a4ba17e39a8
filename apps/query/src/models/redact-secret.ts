/**
 * Minimum length of a secret. Shorter texts, such as the `none` of a local server, are not secret and occur in ordinary words.
 */
const MIN_SECRET_LENGTH = 8;

/** Replaces a secret in the messages and stacks of an error and its causes, so that the error can be logged. */
export function redactSecret(error: unknown, secret: string | undefined): void {
  if (secret === undefined || secret.length < MIN_SECRET_LENGTH) return;
  for (let next = error; next instanceof Error; next = next.cause) {
    next.message = next.message.replaceAll(secret, '[redacted]');
    if (next.stack !== undefined) next.stack = next.stack.replaceAll(secret, '[redacted]');
  }
}
