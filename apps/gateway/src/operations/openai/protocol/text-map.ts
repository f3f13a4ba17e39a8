import { countCharacters, type Violation } from '@quarry/validation';

/** Limits of `metadata` and `attributes`. Source: `Metadata` and `VectorStoreFileAttributes` of openai/openai-openapi. */
const MAX_KEYS = 16;
const MAX_KEY_CHARACTERS = 64;
const MAX_TEXT_CHARACTERS = 512;

/** Returns the violations in the metadata of a resource. The values of metadata must be texts. */
export function findMetadataViolations(value: unknown): readonly Violation[] {
  return findMapViolations(value, (one) => typeof one === 'string', 'a text');
}

/** Returns the violations in the attributes of a file. The values of attributes must be texts, numbers or booleans. */
export function findAttributeViolations(value: unknown): readonly Violation[] {
  return findMapViolations(value, isAttributeValue, 'a text, a number or a boolean');
}

/** Returns true for a value that an attribute can have. */
export function isAttributeValue(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/**
 * Returns the violations in a map whose keys are texts and whose values must have one type.
 *
 * @param expected describes the type in messages, such as `a text`
 */
function findMapViolations(
  map: unknown,
  isOfType: (value: unknown) => boolean,
  expected: string,
): readonly Violation[] {
  if (typeof map !== 'object' || map === null || Array.isArray(map))
    return [{ path: '', message: 'must be an object', found: map }];
  const entries: readonly (readonly [string, unknown])[] = Object.entries(map);
  if (entries.length > MAX_KEYS)
    return [{ path: '', message: `must have at most ${MAX_KEYS} keys`, found: entries.length }];
  return entries.flatMap(([key, value]): readonly Violation[] => {
    if (key === '' || countCharacters(key) > MAX_KEY_CHARACTERS)
      return [{ path: '', message: `must have keys of 1 to ${MAX_KEY_CHARACTERS} characters`, found: key }];
    if (isOfType(value) && !(typeof value === 'string' && countCharacters(value) > MAX_TEXT_CHARACTERS)) return [];
    const message = `must be ${expected} of at most ${MAX_TEXT_CHARACTERS} characters`;
    return [{ path: key, message, found: value }];
  });
}
