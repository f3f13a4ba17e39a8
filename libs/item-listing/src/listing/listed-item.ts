import { hash as digest } from 'node:crypto';
import { toCanonicalJson } from './canonical-json.js';
import { isItemDate } from './item-date.js';
import { idOf } from './item-id.js';

/**
 * Describes an element of a listing's `items`, valid or not, with the properties that paging and change detection
 * use.
 */
export interface ListedItem {
  readonly raw: unknown;
  /** The length of its JSON, in characters. */
  readonly size: number;
  /** Undefined when the item has no valid id. */
  readonly id: string | undefined;
  /** `item:<id>`. Without a valid id: a key derived from the content. */
  readonly documentKey: string;
  /** Equal for equal content, in any order of fields. */
  readonly hash: string;
  /** Undefined when the date does not have the form of the contract. */
  readonly modified: string | undefined;
}

/**
 * 96 bits. Among a million items, the probability of a collision is about 10⁻¹⁷, and only versions of the same item are compared.
 */
const HASH_LENGTH = 16;

export function toListedItem(raw: unknown): ListedItem {
  const fields = isObject(raw) ? raw : {};
  const json = toCanonicalJson(raw);
  const hash = digest('sha256', json, 'base64url').slice(0, HASH_LENGTH);
  const id = idOf(fields['id']);
  return {
    raw,
    size: json.length,
    id,
    documentKey: id === undefined ? `item-without-id:${hash}` : documentKeyOf(id),
    hash,
    modified: isItemDate(fields['date_modified']) ? fields['date_modified'] : undefined,
  };
}

export function documentKeyOf(id: string): string {
  return `item:${id}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
