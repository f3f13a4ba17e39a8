import { hash as digest } from 'node:crypto';
import { canonicalJson } from './canonical-json.js';
import { isItemDate } from './item-date.js';
import { idOf } from './item-id.js';

/** An element of a listing's `items`, valid or not, with what paging and change detection need to know of it. */
export interface ListedItem {
  readonly raw: unknown;
  /** Of its JSON, in characters. */
  readonly size: number;
  /** Undefined when it has none that can be used. */
  readonly id: string | undefined;
  /** `item:<id>`; for one without an id, something that stays the same while the item does. */
  readonly documentKey: string;
  /** Equal for equal content, in whatever order the fields came. */
  readonly hash: string;
  /** Undefined when it is not of the contract's form. */
  readonly modified: string | undefined;
}

/** 96 bits: a shop of a million items has a chance of 10⁻¹⁷ to hold two of the same hash, which would have to be versions of one item to matter. */
const HASH_LENGTH = 16;

export function listedItem(raw: unknown): ListedItem {
  const fields = isObject(raw) ? raw : {};
  const json = canonicalJson(raw);
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
