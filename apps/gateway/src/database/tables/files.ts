import { bigint, index, text, uuid } from 'drizzle-orm/pg-core';
import { organizationIdColumn } from './organizations.js';
import { createdAtColumn, idColumn, quarry, timeColumn } from './quarry-schema.js';

/**
 * Stores the files that were uploaded without a datastore, through the OpenAI-compatible API. A datastore that receives
 * such a file stores a copy of the bytes. So the file can be deleted or expire while the copy stays.
 */
export const files = quarry.table(
  'files',
  {
    id: idColumn(),
    organizationId: organizationIdColumn(),
    /**
     * Id of the API key with which the file was uploaded. A limited key can access only the files that it uploaded. Not
     * a foreign key, because keys can be deleted.
     */
    keyId: uuid('key_id').notNull(),
    name: text('name').notNull(),
    mimeType: text('mime_type').notNull(),
    /** The size of the file in bytes. */
    size: bigint('size', { mode: 'number' }).notNull(),
    purpose: text('purpose').notNull(),
    blobKey: text('blob_key').notNull(),
    createdAt: createdAtColumn(),
    expiresAt: timeColumn('expires_at').notNull(),
  },
  (table) => [
    index('files_of_organization').on(table.organizationId, table.id),
    index('files_expiry').on(table.expiresAt),
  ],
);

export type FileRow = typeof files.$inferSelect;
