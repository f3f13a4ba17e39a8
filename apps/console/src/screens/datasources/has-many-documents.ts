import type { Datasource } from '@quarry/client';

/**
 * Returns true if a datasource of this type can have many documents: a site or a listing. Datasources of other types
 * have one document.
 */
export function hasManyDocuments({ type }: Pick<Datasource, 'type'>): boolean {
  return type === 'web_site' || type === 'item_listing';
}
