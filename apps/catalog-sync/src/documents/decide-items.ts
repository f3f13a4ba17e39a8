import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { CatalogSyncMode } from '@quarry/contracts';
import { type ListedItem, readItem } from '@quarry/item-listing';
import { itemDocument, type ItemDocument } from './item-document.js';

/**
 * What a sync does with an item:
 *
 * - `index`: it is new, or differs from the version that is indexed
 * - `confirm`: it is indexed as it is, and a full sync names everything that is there
 * - `leave`: it is indexed as it is
 * - `reject`: it breaks the contract
 */
export type DecidedItem =
  | { readonly item: ListedItem; readonly decision: 'index'; readonly version: string; readonly document: ItemDocument }
  | { readonly item: ListedItem; readonly decision: 'confirm' | 'leave' }
  | { readonly item: ListedItem; readonly decision: 'reject'; readonly problem: string };

export interface DecisionRules {
  readonly mode: CatalogSyncMode;
  readonly versionOf: (item: ListedItem) => string;
  /** Returns whether an earlier sync has reported the item as invalid. */
  readonly isReported: (item: ListedItem) => boolean;
}

/** The listing is asked for its next page while items become documents. */
const ITEMS_PER_TURN = 50;

/** @param indexed the versions that the index has confirmed, in the order of `items` */
export async function decideItems(
  items: readonly ListedItem[],
  indexed: readonly (string | null)[],
  rules: DecisionRules,
): Promise<readonly DecidedItem[]> {
  const decided: DecidedItem[] = [];
  for (const [at, item] of items.entries()) {
    if (at % ITEMS_PER_TURN === ITEMS_PER_TURN - 1) await yieldToEventLoop();
    decided.push(decideItem(item, indexed[at] ?? null, rules));
  }
  return decided;
}

function decideItem(item: ListedItem, indexed: string | null, rules: DecisionRules): DecidedItem {
  const version = rules.versionOf(item);
  if (version === indexed) return { item, decision: rules.mode === 'full' ? 'confirm' : 'leave' };
  if (rules.isReported(item)) return { item, decision: 'leave' };
  const reading = readItem(item);
  if (!reading.valid) return { item, decision: 'reject', problem: reading.problem };
  return { item, decision: 'index', version, document: itemDocument(reading.item) };
}
