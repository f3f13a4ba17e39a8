/* eslint-disable @typescript-eslint/explicit-module-boundary-types -- the types of column builders are the vendor's, and long */
import { pgSchema, timestamp, uuid } from 'drizzle-orm/pg-core';

/** Holds all metadata, in a schema beside that of the queue. */
export const quarry = pgSchema('quarry');

/** Time-ordered (UUIDv7, created by the gateway), so that the newest row has the greatest id. */
export const id = () => uuid('id').primaryKey();

export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

export const createdAt = () => moment('created_at').notNull().defaultNow();
export const updatedAt = () => moment('updated_at').notNull().defaultNow();
