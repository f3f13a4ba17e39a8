import type { Datasource, UpdateDatasourceRequest } from '@quarry/client';
import { pickChanges } from '../../components/use-draft.js';
import { completeAddress } from '../upload/complete-address.js';

/**
 * The configuration fields that the user can change, keyed by the type of the datasource. The name can always be
 * changed, the address of a web page never.
 */
const FIELDS: Readonly<Record<Datasource['type'], readonly string[]>> = {
  file: [],
  document: [],
  web_page: ['schedule'],
  web_site: ['source_url', 'sitemap', 'schedule'],
  item_listing: ['url', 'schedule', 'full_sync_every'],
};

/** The name and the configuration of a datasource as texts; '' for a field without a text. */
export type DatasourceDraft = Readonly<Record<string, string>>;

/** Returns the name and the configuration fields that the user can change. */
export function createDatasourceDraft({ name, type, config }: Datasource): DatasourceDraft {
  const texts = FIELDS[type].map((field): [string, string] => {
    const value = config[field];
    return [field, typeof value === 'string' ? value : ''];
  });
  return { name, ...Object.fromEntries(texts) };
}

/**
 * Builds the request that updates a datasource. Omits the fields that the user has not changed, because another user may
 * have changed them in the meantime.
 *
 * @param headers the headers that replace the stored headers of a listing. An empty object keeps the stored headers;
 *   null removes them.
 */
export function buildDatasourceUpdate(
  stored: DatasourceDraft,
  draft: DatasourceDraft,
  headers: Readonly<Record<string, string>> | null,
): UpdateDatasourceRequest {
  const { name, ...texts } = pickChanges(stored, draft);
  const fields = Object.entries(texts).map(([field, value = '']): [string, string | null] => [
    field,
    value.trim() === '' ? null : normalizeFieldValue(field, value),
  ]);
  const config = {
    ...Object.fromEntries(fields),
    ...(headers === null || Object.keys(headers).length > 0 ? { headers } : {}),
  };
  return {
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(Object.keys(config).length === 0 ? {} : { config }),
  };
}

/** Returns true for a configuration field that contains a schedule; false for one that contains an address. */
export function isScheduleField(field: string): field is 'schedule' | 'full_sync_every' {
  return field === 'schedule' || field === 'full_sync_every';
}

/**
 * Converts the text of a configuration field to the value for the API: trims a schedule, and adds `https://` to an
 * address without a scheme.
 */
function normalizeFieldValue(field: string, value: string): string {
  return isScheduleField(field) ? value.trim() : completeAddress(value);
}
