import type { DocumentOutcome } from '@quarry/contracts';
import { bigint, index, integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { datasources } from './datasources.js';
import { organizationId } from './organizations.js';
import { moment, quarry } from './quarry-schema.js';

/** Documents of datasources that have many, such as the pages of a site, each as the last run that found it left it. */
export const documents = quarry.table(
  'documents',
  {
    organizationId: organizationId(),
    datasourceId: uuid('datasource_id')
      .notNull()
      .references(() => datasources.id, { onDelete: 'cascade' }),
    documentKey: text('document_key').notNull(),
    runId: uuid('run_id').notNull(),
    outcome: text('outcome').$type<DocumentOutcome>().notNull(),
    code: text('code'),
    message: text('message'),
    name: text('name'),
    source: text('source'),
    fragments: integer('fragments').notNull(),
    storedTokens: bigint('stored_tokens', { mode: 'number' }).notNull(),
    /** The version that the index has confirmed. Null while that is unknown. */
    version: text('version'),
    /** The version that was found by the run which found the document last. */
    foundVersion: text('found_version'),
    settledAt: moment('settled_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.datasourceId, table.documentKey] }),
    index('documents_of_run').on(table.datasourceId, table.runId),
  ],
);

export type DocumentRow = typeof documents.$inferSelect;
