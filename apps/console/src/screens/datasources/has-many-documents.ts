import type { Datasource } from '@quarry/client';

/**
 * Returns true for types of datasources that can have many documents: sites and listings. Other datasources have one
 * document.
 */
export function hasManyDocuments({ type }: Pick<Datasource, 'type'>): boolean {
  return type === 'web_site' || type === 'item_listing';
}
