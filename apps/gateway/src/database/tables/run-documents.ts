import type { IndexDocument } from '@quarry/contracts';
import { index, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { datasources } from './datasources.js';
import { organizationIdColumn } from './organizations.js';
import { createdAtColumn, quarry } from './quarry-schema.js';

/**
 * Stores the documents that a run has found and that have no outcome yet. A row is deleted when its document settles or
 * its run ends.
 */
export const runDocuments = quarry.table(
  'run_documents',
  {
    organizationId: organizationIdColumn(),
    datasourceId: uuid('datasource_id')
      .notNull()
      .references(() => datasources.id, { onDelete: 'cascade' }),
    runId: uuid('run_id').notNull(),
    documentKey: text('document_key').notNull(),
    version: text('version'),
    /** Payload of the job that indexes the document. A lost job is enqueued again with this payload. */
    job: jsonb('job').$type<Omit<IndexDocument, never>>().notNull(),
    /** Number of times that a lost job was enqueued again. */
    repeats: integer('repeats').notNull().default(0),
    createdAt: createdAtColumn(),
  },
  (table) => [
    primaryKey({ columns: [table.datasourceId, table.runId, table.documentKey] }),
    index('run_documents_of_organization').on(table.organizationId),
  ],
);

export type RunDocumentRow = typeof runDocuments.$inferSelect;
