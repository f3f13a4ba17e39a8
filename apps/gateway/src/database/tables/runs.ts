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
import { inheritedOrganizationId } from './organizations.js';
import { createdAt, id, moment, quarry } from './quarry-schema.js';

/** Describes a step of a run, for people. `at` is ISO 8601. */
export interface TimelineEntry {
  readonly at: string;
  readonly step: RunStatus | Stage;
}

export const runs = quarry.table(
  'runs',
  {
    id: id(),
    organizationId: inheritedOrganizationId(),
    datasourceId: uuid('datasource_id')
      .notNull()
      .references(() => datasources.id, { onDelete: 'cascade' }),
    /** Grows with every run of the installation. */
    generation: bigint('generation', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    status: text('status').$type<RunStatus>().notNull(),
    sequence: integer('sequence').notNull(),
    /** How a listing is read. Null for other types. */
    mode: text('mode').$type<CatalogSyncMode>(),
    /** True when the run only reports what it would change. */
    dryRun: boolean('dry_run').notNull().default(false),
    /** Not used. Kept because the version before inserts it. */
    reindex: boolean('reindex').notNull().default(false),
    /** True when documents that are missing are removed, however many they are. */
    allowMassRemoval: boolean('allow_mass_removal').notNull().default(false),
    stage: text('stage').$type<Stage>(),
    progress: jsonb('progress').$type<Progress>(),
    counters: jsonb('counters').$type<RunCounters>().notNull(),
    /** Why something is retried. Null while there is progress. */
    lastError: jsonb('last_error').$type<LastError>(),
    code: text('code'),
    message: text('message'),
    /** A note for people on how the documents were found. */
    note: text('note'),
    /** Number of settled documents of a run of several documents. */
    documentsSettled: integer('documents_settled').notNull().default(0),
    /** Number of recorded documents, once all are found. Null while the run still finds documents. */
    documentsExpected: integer('documents_expected'),
    /** Number of documents that the run has recorded through `recordDocuments`. */
    documentsRecorded: integer('documents_recorded').notNull().default(0),
    /** Number of recorded documents that failed in ingestion. */
    ingestionFailures: integer('ingestion_failures').notNull().default(0),
    /** Number of fragments, and of their documents, that were truncated because the embedding model accepts no longer text. */
    truncatedFragments: integer('truncated_fragments').notNull().default(0),
    truncatedDocuments: integer('truncated_documents').notNull().default(0),
    /** The position at which a crawl or listing sync continues after a restart. */
    checkpoint: jsonb('checkpoint').$type<Readonly<Record<string, unknown>>>(),
    /** The position from which the next sync of the listing continues, if this run succeeds. */
    listingState: jsonb('listing_state').$type<Readonly<Record<string, unknown>>>(),
    /** Number of documents of the datasource when the run began. Null for a datasource that is one document. */
    documentsKnown: integer('documents_known'),
    /** True when a document that the run did not find is missing from the source. */
    enumeratedAll: boolean('enumerated_all').notNull().default(false),
    failureReasons: jsonb('failure_reasons').$type<readonly FailureReason[]>().notNull(),
    timeline: jsonb('timeline').$type<readonly TimelineEntry[]>().notNull(),
    createdAt: createdAt(),
    startedAt: moment('started_at'),
    endedAt: moment('ended_at'),
    /** Number of times that the lost job of the run was enqueued again. */
    repeats: integer('repeats').notNull().default(0),
    /** Since when the job is known to have ended without an event. Valid only while it is later than `lastEventAt`. */
    missingSince: moment('missing_since'),
    /** When the gateway last received an event of the run. */
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
