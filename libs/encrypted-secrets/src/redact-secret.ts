/** Minimum length of a secret. Shorter texts, such as the `none` of a local server, are not secret and occur in ordinary words. */
const MIN_SECRET_LENGTH = 8;

/** Replaces a secret in a text, so that the text can be logged. */
export function redactText(text: string, secret: string | undefined): string {
  return secret === undefined || secret.length < MIN_SECRET_LENGTH ? text : text.replaceAll(secret, '[redacted]');
}

/** Replaces a secret in the messages and stacks of an error and its causes, so that the error can be logged. */
export function redactError(error: unknown, secret: string | undefined): void {
  for (let next = error; next instanceof Error; next = next.cause) {
    next.message = redactText(next.message, secret);
    if (next.stack !== undefined) next.stack = redactText(next.stack, secret);
  }
}
