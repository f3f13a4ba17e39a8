/**
 * Matches a segment of a key. A segment must not start with a dot. This rule excludes `.` and `..`, and reserves names
 * with a leading dot for files that blob stores create for themselves.
 */
const SEGMENT = /^[A-Za-z0-9_=+@~-][A-Za-z0-9._=+@~-]{0,199}$/;
const MAX_LENGTH = 1_000;

/**
 * Reports an invalid blob key. Such a key could refer to a location outside the store, or mean different keys in
 * different stores.
 */
export class InvalidBlobKey extends Error {
  constructor(key: string, expected: string) {
    super(`expected a blob key, found ${JSON.stringify(key)}: ${expected}`);
    this.name = 'InvalidBlobKey';
  }
}

/**
 * Splits a key into its segments.
 *
 * @returns segments such as `['organization', 'datasource', 'name']`
 * @throws InvalidBlobKey
 */
export function splitBlobKey(key: string): readonly string[] {
  const segments = key.split('/');
  if (key.length > MAX_LENGTH)
    throw new InvalidBlobKey(key, `it must have at most ${MAX_LENGTH} characters, found ${key.length}`);
  const invalid = segments.find((segment) => !SEGMENT.test(segment));
  if (invalid !== undefined) {
    throw new InvalidBlobKey(
      key,
      `a segment must have 1 to 200 letters, digits or . _ = + @ ~ - and must not start with a dot, found ${JSON.stringify(invalid)}`,
    );
  }
  return segments;
}

/**
 * Splits a prefix into its segments.
 *
 * @param prefix the start of keys, up to and including a `/`
 * @returns the segments before the final `/`
 * @throws InvalidBlobKey
 */
export function splitBlobPrefix(prefix: string): readonly string[] {
  if (!prefix.endsWith('/')) throw new InvalidBlobKey(prefix, 'a prefix must end with /');
  return splitBlobKey(prefix.slice(0, -1));
}
