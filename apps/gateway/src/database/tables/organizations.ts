import { text, uuid } from 'drizzle-orm/pg-core';
import { createdAt, id, quarry } from './quarry-schema.js';

/** Tenants. */
export const organizations = quarry.table('organizations', {
  id: id(),
  name: text('name').notNull(),
  createdAt: createdAt(),
});

/** Whose a row is: every table has it, and every query of a caller filters by it. */
// eslint-disable-next-line @typescript-eslint/explicit-module-boundary-types -- as in quarry-schema.ts
export const organizationId = () =>
  uuid('organization_id')
    .notNull()
    .references(() => organizations.id, { onDelete: 'cascade' });
