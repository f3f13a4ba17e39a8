import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { CatalogSyncMode } from '@quarry/contracts';
import { type ListedItem, readItem } from '@quarry/item-listing';
import { createItemDocument, type ItemDocument } from './item-document.js';

/**
 * Describes an item and the action that a sync takes for it:
 *
 * - `index`: the item is new, or differs from its indexed version
 * - `confirm`: the item has not changed, and a full sync reports every item
 * - `skip`: the item needs no action
 * - `reject`: the item violates the contract
 */
export type DecidedItem =
  | { readonly item: ListedItem; readonly decision: 'index'; readonly version: string; readonly document: ItemDocument }
  | { readonly item: ListedItem; readonly decision: 'confirm' | 'skip' }
  | { readonly item: ListedItem; readonly decision: 'reject'; readonly problem: string };

export interface DecisionRules {
  readonly mode: CatalogSyncMode;
  readonly computeVersion: (item: ListedItem) => string;
  /** Returns whether an earlier sync has reported the item as invalid. */
  readonly isReported: (item: ListedItem) => boolean;
}

/** Number of items after which `decideItems` yields to the event loop, so that the next page is requested meanwhile. */
const ITEMS_PER_SLICE = 50;

/**
 * Decides for each item whether the sync indexes, confirms, skips or rejects it.
 *
 * @param indexed the versions that the index has confirmed, in the order of `items`
 */
export async function decideItems(
  items: readonly ListedItem[],
  indexed: readonly (string | null)[],
  rules: DecisionRules,
): Promise<readonly DecidedItem[]> {
  const decided: DecidedItem[] = [];
  for (const [at, item] of items.entries()) {
    if (at % ITEMS_PER_SLICE === ITEMS_PER_SLICE - 1) await yieldToEventLoop();
    decided.push(decideItem(item, indexed[at] ?? null, rules));
  }
  return decided;
}

function decideItem(item: ListedItem, indexed: string | null, rules: DecisionRules): DecidedItem {
  const version = rules.computeVersion(item);
  if (version === indexed) return { item, decision: rules.mode === 'full' ? 'confirm' : 'skip' };
  if (rules.isReported(item)) return { item, decision: 'skip' };
  const reading = readItem(item);
  if (!reading.valid) return { item, decision: 'reject', problem: reading.problem };
  return { item, decision: 'index', version, document: createItemDocument(reading.item) };
}
