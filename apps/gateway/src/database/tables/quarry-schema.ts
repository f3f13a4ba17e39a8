/* eslint-disable @typescript-eslint/explicit-module-boundary-types -- the types of column builders are the vendor's, and long */
import { pgSchema, timestamp, uuid } from 'drizzle-orm/pg-core';

/** The PostgreSQL schema of all tables of the gateway. */
export const quarry = pgSchema('quarry');

/** Declares an id column. The gateway creates ids as UUIDv7, so that the newest row has the greatest id. */
export const idColumn = () => uuid('id').primaryKey();

/** Declares a column with a time, in UTC with milliseconds. */
export const timeColumn = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

export const createdAtColumn = () => timeColumn('created_at').notNull().defaultNow();
export const updatedAtColumn = () => timeColumn('updated_at').notNull().defaultNow();
