import { AttemptFailed, TryLater } from '@quarry/contracts';

/**
 * Returns the fields of a log entry that describe the error of a job. An error with a documented code is expected, such
 * as a host that does not respond: its fields contain the messages of its causes, but no stack.
 */
export function buildErrorFields(error: unknown): object {
  const isExpected = error instanceof AttemptFailed || (error instanceof TryLater && error.code !== undefined);
  return isExpected ? { code: String(error.code), reason: joinMessages(error) } : { err: error };
}

/** Joins the messages of an error and its causes. Omits a message that an earlier one contains. */
function joinMessages(error: Error): string {
  const messages: string[] = [];
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    const { message } = current;
    if (!messages.some((earlier) => earlier.includes(message))) messages.push(message);
  }
  return messages.join(': ');
}
