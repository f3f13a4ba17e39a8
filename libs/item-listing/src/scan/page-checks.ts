import { ListingBroken } from '../listing/listing-failure.js';
import type { ListedItem } from '../listing/listed-item.js';

/**
 * Holds a response to the order that was asked for: ascending dates. Ids are not compared, because how a database sorts text is
 * its own affair; items without a usable date can stand anywhere.
 *
 * @throws ListingBroken `listing_wrong_order`
 */
export function checkOrder(items: readonly ListedItem[], request: string): void {
  const dated = items.filter((item) => item.modified !== undefined);
  const wrong = dated.findIndex(
    (item, index) => index > 0 && String(item.modified) < String(dated[index - 1]?.modified),
  );
  if (wrong === -1) return;
  throw new ListingBroken(
    'listing_wrong_order',
    `expected items in the order of date_modified, found ${shown(dated[wrong - 1])} before ${shown(dated[wrong])} (${request})`,
  );
}

/**
 * Holds the response that shows a listing's begin to its own `total_count`. Later ones may be empty: some listings count all items,
 * whatever they were asked for.
 *
 * @throws ListingBroken `listing_shows_nothing`
 */
export function checkShown(items: readonly ListedItem[], totalCount: number, request: string): void {
  if (items.length > 0 || totalCount === 0) return;
  throw new ListingBroken(
    'listing_shows_nothing',
    `expected the first of ${totalCount} items, as total_count says, found none (${request})`,
  );
}

/**
 * Holds a response to the filter that was asked for. An item at the very date is let through: databases keep finer times than
 * they show, and reading an item twice does no harm.
 *
 * @throws ListingBroken `listing_filter_ignored`
 */
export function checkFilter(items: readonly ListedItem[], modifiedAfter: string, request: string): void {
  const older = items.find((item) => item.modified !== undefined && item.modified < modifiedAfter);
  if (older === undefined) return;
  throw new ListingBroken(
    'listing_filter_ignored',
    `expected only items modified after ${modifiedAfter}, found ${shown(older)} (${request})`,
  );
}

function shown(item: ListedItem | undefined): string {
  return `item ${item?.id ?? 'without an id'} of ${item?.modified ?? 'no date'}`;
}
