import type { EmbeddingSettings, SplittingSettings } from '@quarry/contracts';
import { jsonb, text, unique } from 'drizzle-orm/pg-core';
import { organizationId } from './organizations.js';
import { createdAt, id, quarry, updatedAt } from './quarry-schema.js';

export const datastores = quarry.table(
  'datastores',
  {
    id: id(),
    organizationId: organizationId(),
    name: text('name').notNull(),
    description: text('description'),
    /** Null: searched by words alone. Never changes. */
    embedding: jsonb('embedding').$type<EmbeddingSettings>(),
    splitting: jsonb('splitting').$type<SplittingSettings>().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  // What refers to a datastore names the organization too: the database itself keeps tenants apart.
  (table) => [unique('datastores_organization_id').on(table.organizationId, table.id)],
);

export type DatastoreRow = typeof datastores.$inferSelect;
