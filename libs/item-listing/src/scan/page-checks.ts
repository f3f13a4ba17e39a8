import { PermanentListingError } from '../listing/listing-errors.js';
import type { ListedItem } from '../listing/listed-item.js';

/**
 * Checks that the items are in ascending order of dates, as requested. Ids are not compared, because databases sort text
 * differently. Items without a valid date can be anywhere.
 *
 * @throws PermanentListingError `listing_wrong_order`
 */
export function checkOrder(items: readonly ListedItem[], request: string): void {
  const dated = items.filter((item) => item.modified !== undefined);
  const misplaced = dated.findIndex(
    (item, index) => index > 0 && String(item.modified) < String(dated[index - 1]?.modified),
  );
  if (misplaced === -1) return;
  throw new PermanentListingError(
    'listing_wrong_order',
    `expected items in the order of date_modified, found ${describeItem(dated[misplaced - 1])} before ${describeItem(dated[misplaced])} (${request})`,
  );
}

/**
 * Checks that the first response contains items if its `total_count` is positive. Later responses can be empty, because some
 * listings always count all items.
 *
 * @throws PermanentListingError `listing_shows_nothing`
 */
export function checkNotEmpty(items: readonly ListedItem[], totalCount: number, request: string): void {
  if (items.length > 0 || totalCount === 0) return;
  throw new PermanentListingError(
    'listing_shows_nothing',
    `expected the first of ${totalCount} items according to total_count, found none (${request})`,
  );
}

/**
 * Checks that the items match the requested filter. Items at exactly the given date are accepted, because databases store finer
 * times than they return, and reading an item twice does no harm.
 *
 * @throws PermanentListingError `listing_filter_ignored`
 */
export function checkFilter(items: readonly ListedItem[], modifiedAfter: string, request: string): void {
  const older = items.find((item) => item.modified !== undefined && item.modified < modifiedAfter);
  if (older === undefined) return;
  throw new PermanentListingError(
    'listing_filter_ignored',
    `expected only items modified after ${modifiedAfter}, found ${describeItem(older)} (${request})`,
  );
}

function describeItem(item: ListedItem | undefined): string {
  return `item ${item?.id ?? 'without an id'} of ${item?.modified ?? 'no date'}`;
}
