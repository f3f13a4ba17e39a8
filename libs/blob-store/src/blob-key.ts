/** A segment that begins with a dot is the store's own: so no key is `.` or `..`, and none meets what a store keeps for itself. */
const SEGMENT = /^[A-Za-z0-9_=+@~-][A-Za-z0-9._=+@~-]{0,199}$/;
const MAX_LENGTH = 1_000;

/** A key that a store must not act on: it could mean a place outside the store, or mean another key somewhere else. */
export class InvalidBlobKey extends Error {
  constructor(key: string, expected: string) {
    super(`${JSON.stringify(key)} is not a blob key: ${expected}`);
    this.name = 'InvalidBlobKey';
  }
}

/**
 * @returns the segments of `key`, such as `['organization', 'datasource', 'name']`
 * @throws InvalidBlobKey
 */
export function segmentsOfKey(key: string): readonly string[] {
  const segments = key.split('/');
  if (key.length > MAX_LENGTH)
    throw new InvalidBlobKey(key, `it may have ${MAX_LENGTH} characters, it has ${key.length}`);
  const wrong = segments.find((segment) => !SEGMENT.test(segment));
  if (wrong !== undefined) {
    throw new InvalidBlobKey(
      key,
      `a segment is 1 to 200 of letters, digits and . _ = + @ ~ - and does not begin with a dot, found ${JSON.stringify(wrong)}`,
    );
  }
  return segments;
}

/**
 * @param prefix begins of keys, up to a `/`
 * @returns the segments before that last `/`
 * @throws InvalidBlobKey
 */
export function segmentsOfPrefix(prefix: string): readonly string[] {
  if (!prefix.endsWith('/')) throw new InvalidBlobKey(prefix, 'a prefix ends in /');
  return segmentsOfKey(prefix.slice(0, -1));
}
