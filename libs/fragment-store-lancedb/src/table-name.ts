import { createHash } from 'node:crypto';
import { getCollectionName, type Collection } from '@quarry/fragment-store';

const DIGEST_CHARACTERS = 32;

/**
 * Matches the names of shared tables, in which earlier versions of Quarry stored the fragments of all organizations of
 * a collection.
 */
const COLLECTION_NAME = /^fragments-[a-z0-9-]+$/;

/** Identifies the table of an organization in a collection. */
export interface TableKey {
  readonly collection: Collection;
  readonly name: string;
}

/**
 * Returns the key of an organization's table. Organizations have separate tables, because the BM25 statistics of a
 * table depend on all rows of the table.
 */
export function getTableKey(collection: Collection, organizationId: string): TableKey {
  return { collection, name: getTableName(getCollectionName(collection), organizationId) };
}

/** Returns the name of a table. A hash represents the organization, whose id may contain any character. */
export function getTableName(collectionName: string, organizationId: string): string {
  const digest = createHash('sha256').update(organizationId).digest('hex').slice(0, DIGEST_CHARACTERS);
  return `${collectionName}_${digest}`;
}

/** Returns true for a table that contains the fragments of all organizations. */
export function isSharedTable(name: string): boolean {
  return COLLECTION_NAME.test(name);
}

/** Returns true for the table of an organization in a collection. */
export function isTableOfCollection(collectionName: string, name: string): boolean {
  return name.startsWith(`${collectionName}_`);
}
