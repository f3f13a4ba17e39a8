const MAX_LENGTH = 500;

/** @returns what is wrong with `value` as an id, as the end of "the id …"; undefined when nothing is */
export function whyNoId(value: unknown): string | undefined {
  if (typeof value === 'number') return whyNoNumber(value);
  if (typeof value !== 'string') return 'must be a string or a number';
  if (value === '') return 'must not be empty';
  if (value.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  // Queues and databases cannot keep these, and what they put instead would be another id.
  if (value.includes('\0') || !value.isWellFormed()) return 'must be text without NUL and half characters';
  return undefined;
}

/** The id as text: the number 7 and the text `7` are the same id. Undefined when it is none. */
export function idOf(value: unknown): string | undefined {
  return whyNoId(value) === undefined ? String(value) : undefined;
}

/** A large whole number is read as its neighbour: JSON has more digits than a number has. */
function whyNoNumber(value: number): string | undefined {
  if (Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value)) return undefined;
  return `must be a string when it is a number above ${Number.MAX_SAFE_INTEGER}`;
}
