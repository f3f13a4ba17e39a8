const WORDS: ReadonlyMap<string, string> = new Map([
  ['instock', 'In stock'],
  ['outofstock', 'Out of stock'],
  ['onbackorder', 'Available on backorder'],
]);

/** A stock status as a shopper says it; the customer's own words stay as they are. */
export function stockInWords(status: string): string {
  return WORDS.get(status.toLowerCase().replace(/[\s_-]/g, '')) ?? status;
}
