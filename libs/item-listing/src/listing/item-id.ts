const MAX_LENGTH = 500;

/** Checks an id. @returns the problem with `value`, as the end of "the id …"; undefined for a valid id */
export function findIdProblem(value: unknown): string | undefined {
  if (typeof value === 'number') return findNumberProblem(value);
  if (typeof value !== 'string') return 'must be a string or a number';
  if (value === '') return 'must not be empty';
  if (value.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  // Queues and databases cannot store these characters. Their replacement would be another id.
  if (value.includes('\0') || !value.isWellFormed()) return 'must be text without NUL and unpaired surrogates';
  return undefined;
}

/** Returns the id as text: the number 7 and the text `7` are the same id. Returns undefined for an invalid id. */
export function idOf(value: unknown): string | undefined {
  return findIdProblem(value) === undefined ? String(value) : undefined;
}

/** Rejects numbers that JSON can express but JavaScript rounds to another number. */
function findNumberProblem(value: number): string | undefined {
  if (Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value)) return undefined;
  return `must be a string when it is a number above ${Number.MAX_SAFE_INTEGER}`;
}
