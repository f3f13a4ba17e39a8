import type { IndexDocument } from '@quarry/contracts';
import type { Offer } from '@quarry/fragment-store';

/** Returns the price and stock status of a catalogue item; undefined for other documents and for items with neither. */
export function getOffer({ datasourceType, metadata = {} }: IndexDocument): Offer | undefined {
  if (datasourceType !== 'item_listing') return undefined;
  const { price, stock_status: stock } = metadata;
  const offer = { price: isPrice(price) ? price : null, stockStatus: typeof stock === 'string' ? stock : null };
  return offer.price === null && offer.stockStatus === null ? undefined : offer;
}

function isPrice(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
