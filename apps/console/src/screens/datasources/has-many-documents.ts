import type { Datasource } from '@quarry/client';

/** Returns true for datasources whose documents are found by each run. The others have one document. */
export function hasManyDocuments({ type }: Pick<Datasource, 'type'>): boolean {
  return type === 'web_site' || type === 'item_listing';
}
