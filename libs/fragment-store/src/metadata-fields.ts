import { createHash } from 'node:crypto';
import { parseTimestamp } from '@quarry/validation';
import type { MetadataScalar } from './metadata-filter.js';

/**
 * Maximum number of metadata values of a document that are stored for filters. If a document has more, the values of
 * the first keys in alphabetical order are stored. The number is limited, because stores keep the values with every
 * fragment.
 */
export const MAX_METADATA_VALUES = 128;

/**
 * Matches metadata keys that are stored unchanged. Other keys are stored as a hash, because some stores cannot quote
 * them.
 */
const PLAIN_KEY = /^\w[\w-]{0,63}$/;

/**
 * Maximum length of a metadata text that is stored unchanged, in characters. A longer text is stored as a hash, which
 * suffices to compare for equality.
 */
const MAX_PLAIN_TEXT = 128;

/** Holds the values of one metadata key, encoded for storage. */
export interface MetadataField {
  /** The encoded metadata key. */
  readonly key: string;
  /** The encoded texts and booleans. They are compared for equality only. */
  readonly terms: readonly string[];
  readonly numbers: readonly number[];
  /** The instants, in milliseconds since 1970, of those texts that are dates. */
  readonly dates: readonly number[];
}

/** Maps each key of free-form metadata to the values that filters can find. Omits keys without such values. */
export function listMetadataValues(
  metadata: Readonly<Record<string, unknown>> = {},
): ReadonlyMap<string, readonly MetadataScalar[]> {
  const valuesByKey = new Map<string, readonly MetadataScalar[]>();
  let rest = MAX_METADATA_VALUES;
  for (const [key, value] of Object.entries(metadata).sort(([one], [other]) => (one < other ? -1 : 1))) {
    const listed: readonly unknown[] = Array.isArray(value) ? value : [value];
    const values = [...new Set(listed.filter(isMetadataScalar))].slice(0, rest);
    rest -= values.length;
    if (values.length > 0) valuesByKey.set(key, values);
  }
  return valuesByKey;
}

/** Returns the values of free-form metadata, encoded for storage. */
export function listMetadataFields(metadata?: Readonly<Record<string, unknown>>): readonly MetadataField[] {
  return Array.from(listMetadataValues(metadata), ([key, values]) => {
    const texts = values.filter((value) => typeof value === 'string');
    return {
      key: encodeMetadataKey(key),
      terms: values.filter((value) => typeof value !== 'number').map(encodeMetadataTerm),
      numbers: values.filter((value) => typeof value === 'number'),
      dates: texts.map(parseTimestamp).filter((date) => date !== undefined),
    };
  });
}

/**
 * Encodes a metadata key in letters, digits, `_` and `-`, with at most 66 characters. Different keys have different
 * encodings.
 */
export function encodeMetadataKey(key: string): string {
  return PLAIN_KEY.test(key) ? `k_${key}` : `h_${hashText(key)}`;
}

/** Encodes a metadata text or boolean as text without control characters. Different values have different encodings. */
export function encodeMetadataTerm(value: string | boolean): string {
  if (typeof value === 'boolean') return String(value);
  return value.length > MAX_PLAIN_TEXT ? `#${hashText(value)}` : JSON.stringify(value);
}

/** Returns true for a value that filters can find. */
function isMetadataScalar(value: unknown): value is MetadataScalar {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

/** Hashes the JSON form of a text, which is valid Unicode even if the text itself is not. */
function hashText(text: string): string {
  return createHash('sha256').update(JSON.stringify(text)).digest('hex');
}
