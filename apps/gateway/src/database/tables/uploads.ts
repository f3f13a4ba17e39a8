import { bigint, index, integer, text, uuid } from 'drizzle-orm/pg-core';
import { organizationIdColumn } from './organizations.js';
import { createdAtColumn, idColumn, quarry, timeColumn } from './quarry-schema.js';

/** Stores files that clients upload in parts. */
export const uploads = quarry.table(
  'uploads',
  {
    id: idColumn(),
    organizationId: organizationIdColumn(),
    /** Id of the API key that created the upload. Not a foreign key, because keys can be deleted. */
    keyId: uuid('key_id').notNull(),
    name: text('name').notNull(),
    mimeType: text('mime_type').notNull(),
    /** The size of the complete file in bytes. */
    size: bigint('size', { mode: 'number' }).notNull(),
    purpose: text('purpose').notNull(),
    /** Time in seconds from the completion of the upload until the complete file expires. */
    fileSeconds: integer('file_seconds').notNull(),
    status: text('status').$type<'pending' | 'completed' | 'cancelled'>().notNull(),
    createdAt: createdAtColumn(),
    expiresAt: timeColumn('expires_at').notNull(),
  },
  (table) => [index('uploads_of_organization').on(table.organizationId), index('uploads_expiry').on(table.expiresAt)],
);

/** Stores the parts of pending uploads. */
export const uploadParts = quarry.table(
  'upload_parts',
  {
    id: idColumn(),
    uploadId: uuid('upload_id')
      .notNull()
      .references(() => uploads.id, { onDelete: 'cascade' }),
    /** The size of the part in bytes. */
    size: bigint('size', { mode: 'number' }).notNull(),
    blobKey: text('blob_key').notNull(),
    createdAt: createdAtColumn(),
  },
  (table) => [index('upload_parts_of_upload').on(table.uploadId)],
);

export type UploadRow = typeof uploads.$inferSelect;
export type UploadPartRow = typeof uploadParts.$inferSelect;
