import { foreignKey, index, uuid } from 'drizzle-orm/pg-core';
import { datastores } from './datastores.js';
import { organizationIdColumn } from './organizations.js';
import { idColumn, quarry } from './quarry-schema.js';

/** Stores the batches in which files were added to a vector store together. */
export const fileBatches = quarry.table(
  'file_batches',
  {
    id: idColumn(),
    organizationId: organizationIdColumn(),
    datastoreId: uuid('datastore_id').notNull(),
    /** The ids of the datasources of the files. Some of the datasources may have been deleted. */
    datasourceIds: uuid('datasource_ids').array().notNull(),
  },
  (table) => [
    foreignKey({
      name: 'file_batches_datastore',
      columns: [table.organizationId, table.datastoreId],
      foreignColumns: [datastores.organizationId, datastores.id],
    }).onDelete('cascade'),
    index('file_batches_of_datastore').on(table.organizationId, table.datastoreId, table.id),
  ],
);
