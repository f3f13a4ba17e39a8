import type { DatastoreQueryRequest } from '@quarry/client';

/** The settings of a query on one side of the playground. */
export interface SideSettings {
  readonly datastoreIds: readonly string[];
  readonly topK: number;
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
  topK: 5,
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
    ...(topK === DEFAULT_SETTINGS.topK ? [] : [['topK', String(topK)]]),
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
    topK: parseTopK(values.get('topK')),
    datasourceIds: values.getAll('datasource'),
    customIds: values.getAll('custom'),
    stockStatus: values.getAll('stock'),
    minPrice: normalizePriceText(values.get('min')),
    maxPrice: normalizePriceText(values.get('max')),
  };
}

function parseTopK(text: string | null): number {
  const value = Number(text ?? '');
  return Number.isInteger(value) && value >= 1 && value <= MAX_TOP_K ? value : DEFAULT_SETTINGS.topK;
}

function normalizePriceText(text: string | null): string {
  return text !== null && text !== '' && Number.isFinite(Number(text)) ? text : '';
}

/** Builds the request that one side of the playground sends to each of its datastores. */
export function buildQueryRequest(query: string, settings: SideSettings): DatastoreQueryRequest {
  const { topK, datasourceIds, customIds, stockStatus, minPrice, maxPrice } = settings;
  const price = {
    ...(minPrice === '' ? {} : { min: Number(minPrice) }),
    ...(maxPrice === '' ? {} : { max: Number(maxPrice) }),
  };
  const filters = {
    ...(datasourceIds.length === 0 ? {} : { datasource_ids: [...datasourceIds] }),
    ...(customIds.length === 0 ? {} : { custom_ids: [...customIds] }),
    ...(stockStatus.length === 0 ? {} : { stock_status: [...stockStatus] }),
    ...(Object.keys(price).length === 0 ? {} : { price }),
  };
  return { query, topK, ...(Object.keys(filters).length === 0 ? {} : { filters }) };
}

/** Returns the number of filters that are set. Both prices together count as one filter. */
export function countUsedFilters(settings: SideSettings): number {
  const { datasourceIds, customIds, stockStatus, minPrice, maxPrice } = settings;
  const hasPrice = minPrice !== '' || maxPrice !== '';
  return [datasourceIds, customIds, stockStatus].filter(({ length }) => length > 0).length + Number(hasPrice);
}

/** Parses a typed list, whose items are separated by commas or line breaks. */
export function parseCommaSeparatedList(text: string): readonly string[] {
  return text
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
