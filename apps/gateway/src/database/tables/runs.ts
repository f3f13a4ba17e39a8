import type {
  CatalogSyncMode,
  FailureReason,
  LastError,
  Progress,
  RunCounters,
  RunStatus,
  Stage,
} from '@quarry/contracts';
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, text, uuid } from 'drizzle-orm/pg-core';
import { datasources } from './datasources.js';
import { organizationId } from './organizations.js';
import { createdAt, id, moment, quarry } from './quarry-schema.js';

/** A step of a run, for people. `at` is ISO 8601. */
export interface TimelineEntry {
  readonly at: string;
  readonly step: RunStatus | Stage;
}

export const runs = quarry.table(
  'runs',
  {
    id: id(),
    organizationId: organizationId(),
    datasourceId: uuid('datasource_id')
      .notNull()
      .references(() => datasources.id, { onDelete: 'cascade' }),
    /** Grows with every run of the installation. */
    generation: bigint('generation', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    status: text('status').$type<RunStatus>().notNull(),
    sequence: integer('sequence').notNull(),
    /** How a listing is read; null for all that is no listing. */
    mode: text('mode').$type<CatalogSyncMode>(),
    /** Whether it says what it would do, and does nothing. */
    dryRun: boolean('dry_run').notNull().default(false),
    /** Not used. Kept because the version before inserts it. */
    reindex: boolean('reindex').notNull().default(false),
    /** Whether what is gone is removed however much it is. */
    allowMassRemoval: boolean('allow_mass_removal').notNull().default(false),
    stage: text('stage').$type<Stage>(),
    progress: jsonb('progress').$type<Progress>(),
    counters: jsonb('counters').$type<RunCounters>().notNull(),
    /** Why something is being retried; null while there is progress. */
    lastError: jsonb('last_error').$type<LastError>(),
    code: text('code'),
    message: text('message'),
    /** What a person should know of how the documents were found. */
    note: text('note'),
    /** How many of a run's several documents have settled. */
    documentsSettled: integer('documents_settled').notNull().default(0),
    /** How many documents the run has recorded, once all are found; null while they are still being found. */
    documentsExpected: integer('documents_expected'),
    /** How many documents the run has recorded through `recordDocuments`. */
    documentsRecorded: integer('documents_recorded').notNull().default(0),
    /** How many of the recorded documents failed in ingestion. */
    ingestionFailures: integer('ingestion_failures').notNull().default(0),
    /** How many fragments, of how many documents, were embedded by their beginnings because the model accepts no longer text. */
    truncatedFragments: integer('truncated_fragments').notNull().default(0),
    truncatedDocuments: integer('truncated_documents').notNull().default(0),
    /** Where a crawl or listing sync continues after a restart. */
    checkpoint: jsonb('checkpoint').$type<Readonly<Record<string, unknown>>>(),
    /** What the next sync of the listing continues from, if this run ends well. */
    listingState: jsonb('listing_state').$type<Readonly<Record<string, unknown>>>(),
    /** How many documents the datasource had when the run began. Null for what is one document itself. */
    documentsKnown: integer('documents_known'),
    /** Whether a document that the run did not name is gone. */
    enumeratedAll: boolean('enumerated_all').notNull().default(false),
    failureReasons: jsonb('failure_reasons').$type<readonly FailureReason[]>().notNull(),
    timeline: jsonb('timeline').$type<readonly TimelineEntry[]>().notNull(),
    createdAt: createdAt(),
    startedAt: moment('started_at'),
    endedAt: moment('ended_at'),
    /** How often its lost job was enqueued again. */
    repeats: integer('repeats').notNull().default(0),
    /** Since when its job is known to have ended without a report. It counts only while it is later than `lastEventAt`. */
    missingSince: moment('missing_since'),
    /** When the gateway last received something of it. */
    lastEventAt: moment('heard_at').notNull().defaultNow(),
  },
  (table) => [
    index('runs_of_datasource').on(table.datasourceId, table.generation),
    index('runs_under_way')
      .on(table.lastEventAt)
      .where(sql`${table.endedAt} is null`),
  ],
);

export type RunRow = typeof runs.$inferSelect;
