import type { DatastoreQueryRequest } from '@quarry/client';
import { isNumberText, parseNumberText } from '../../components/number-text.js';

/** The settings of a query on one side of the playground. Numbers are texts, as typed. */
export interface SideSettings {
  readonly datastoreIds: readonly string[];
  /** The number of results. Empty: the default. */
  readonly topK: string;
  /** Ids of the datasources to search. In this and the following filters, an empty list or text means no filter. */
  readonly datasourceIds: readonly string[];
  readonly customIds: readonly string[];
  readonly stockStatus: readonly string[];
  readonly minPrice: string;
  readonly maxPrice: string;
}

export const MAX_TOP_K = 100;

export const DEFAULT_SETTINGS: SideSettings = {
  datastoreIds: [],
  topK: '5',
  datasourceIds: [],
  customIds: [],
  stockStatus: [],
  minPrice: '',
  maxPrice: '',
};

/** Formats the settings of a side as a text for the address, such as `datastore=d1&topK=10`. Omits default values. */
export function formatSideSettings(settings: SideSettings): string {
  const { datastoreIds, topK, datasourceIds, customIds, stockStatus, minPrice, maxPrice } = settings;
  const values = new URLSearchParams([
    ...datastoreIds.map((id) => ['datastore', id]),
    ...(topK === DEFAULT_SETTINGS.topK ? [] : [['topK', topK]]),
    ...datasourceIds.map((id) => ['datasource', id]),
    ...customIds.map((id) => ['custom', id]),
    ...stockStatus.map((status) => ['stock', status]),
    ...(minPrice === '' ? [] : [['min', minPrice]]),
    ...(maxPrice === '' ? [] : [['max', maxPrice]]),
  ]);
  return values.toString();
}

/** Parses the text of `formatSideSettings`. Replaces invalid numbers by the default values. */
export function parseSideSettings(text: string): SideSettings {
  const values = new URLSearchParams(text);
  return {
    datastoreIds: values.getAll('datastore'),
    topK: normalizeTopKText(values.get('topK')),
    datasourceIds: values.getAll('datasource'),
    customIds: values.getAll('custom'),
    stockStatus: values.getAll('stock'),
    minPrice: normalizePriceText(values.get('min')),
    maxPrice: normalizePriceText(values.get('max')),
  };
}

function normalizeTopKText(text: string | null): string {
  return text !== null && text !== '' && isTopKText(text) ? text : DEFAULT_SETTINGS.topK;
}

function normalizePriceText(text: string | null): string {
  return text !== null && isNumberText(text, 'decimal') ? text : '';
}

/** Returns true if the text for the number of results is empty or a whole number from 1 to `MAX_TOP_K`. */
export function isTopKText(text: string): boolean {
  if (!isNumberText(text, 'whole')) return false;
  const value = parseNumberText(text, 'whole') ?? 1;
  return value >= 1 && value <= MAX_TOP_K;
}

/** Splits chosen ids into those of the items of a list, and those of other lists. */
export function splitListedIds(
  chosen: readonly string[],
  items: readonly { readonly id: string }[],
): { readonly listed: readonly string[]; readonly others: readonly string[] } {
  const ids = new Set(items.map(({ id }) => id));
  return { listed: chosen.filter((id) => ids.has(id)), others: chosen.filter((id) => !ids.has(id)) };
}

/** Returns true if `buildQueryRequest` can build a request from the settings. */
export function isCompleteSide({ datastoreIds, topK, minPrice, maxPrice }: SideSettings): boolean {
  return (
    datastoreIds.length > 0 && isTopKText(topK) && [minPrice, maxPrice].every((text) => isNumberText(text, 'decimal'))
  );
}

/**
 * Builds the request that one side of the playground sends to each of its datastores.
 *
 * @throws RangeError if a number is not valid
 */
export function buildQueryRequest(query: string, settings: SideSettings): DatastoreQueryRequest {
  const { datasourceIds, customIds, stockStatus } = settings;
  const topK = parseNumberText(settings.topK, 'whole');
  const min = parseNumberText(settings.minPrice, 'decimal');
  const max = parseNumberText(settings.maxPrice, 'decimal');
  const price = { ...(min === null ? {} : { min }), ...(max === null ? {} : { max }) };
  const filters = {
    ...(datasourceIds.length === 0 ? {} : { datasource_ids: [...datasourceIds] }),
    ...(customIds.length === 0 ? {} : { custom_ids: [...customIds] }),
    ...(stockStatus.length === 0 ? {} : { stock_status: [...stockStatus] }),
    ...(Object.keys(price).length === 0 ? {} : { price }),
  };
  return { query, ...(topK === null ? {} : { topK }), ...(Object.keys(filters).length === 0 ? {} : { filters }) };
}

/** Returns the number of filters that are set. Both prices together count as one filter. */
export function countUsedFilters(settings: SideSettings): number {
  const { datasourceIds, customIds, stockStatus, minPrice, maxPrice } = settings;
  const hasPrice = minPrice.trim() !== '' || maxPrice.trim() !== '';
  return [datasourceIds, customIds, stockStatus].filter(({ length }) => length > 0).length + Number(hasPrice);
}

/** Parses a typed list, whose items are separated by commas or line breaks. */
export function parseCommaSeparatedList(text: string): readonly string[] {
  return text
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
