import type {
  CatalogSyncMode,
  FailureReason,
  LastError,
  Progress,
  RunCounters,
  RunNote,
  RunRemoval,
  RunStatus,
  Stage,
} from '@quarry/contracts';
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, text, uuid } from 'drizzle-orm/pg-core';
import { datasources } from './datasources.js';
import { organizationIdColumn } from './organizations.js';
import { createdAtColumn, idColumn, timeColumn, quarry } from './quarry-schema.js';

/** Describes when a run reached a status or stage, for display to users. `at` is in ISO 8601. */
export interface TimelineEntry {
  readonly at: string;
  readonly step: RunStatus | Stage;
}

export const runs = quarry.table(
  'runs',
  {
    id: idColumn(),
    organizationId: organizationIdColumn(),
    datasourceId: uuid('datasource_id')
      .notNull()
      .references(() => datasources.id, { onDelete: 'cascade' }),
    /** Increases with every run of the installation. Searches find the newest generation of a document. */
    generation: bigint('generation', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    status: text('status').$type<RunStatus>().notNull(),
    sequence: integer('sequence').notNull(),
    /** Mode in which the run reads a listing: `full` or `incremental`. Null for other types of datasources. */
    mode: text('mode').$type<CatalogSyncMode>(),
    /** True if the run only reports what it would change, and changes nothing. */
    dryRun: boolean('dry_run').notNull().default(false),
    /** Unused. The column exists because gateways of the previous version still write to it. */
    reindex: boolean('reindex').notNull().default(false),
    /** True if the run removes all documents that are missing from the source, even if they are suspiciously many. */
    allowMassRemoval: boolean('allow_mass_removal').notNull().default(false),
    stage: text('stage').$type<Stage>(),
    progress: jsonb('progress').$type<Progress>(),
    counters: jsonb('counters').$type<RunCounters>().notNull(),
    /** The error after which the run, or one of its documents, is being retried. Null if it has made progress since. */
    lastError: jsonb('last_error').$type<LastError>(),
    code: text('code'),
    message: text('message'),
    /**
     * A note for users about the documents that the run found, such as why it did not remove missing documents. Null:
     * there is no note.
     */
    note: text('note'),
    /** The parts of `note`, with their codes. Null if the run has no note, or if an earlier version wrote the note. */
    notes: jsonb('notes').$type<readonly RunNote[]>(),
    /** Describes the documents of earlier runs that this run did not find in the source. Null if it found them all. */
    removal: jsonb('removal').$type<RunRemoval>(),
    /** Number of documents of the run that have an outcome. Counted only for runs of several documents. */
    documentsSettled: integer('documents_settled').notNull().default(0),
    /** Number of documents that the run found. Null until the run has found all its documents. */
    documentsExpected: integer('documents_expected'),
    /** Number of documents that the worker has recorded by calls of `recordDocuments`. */
    documentsRecorded: integer('documents_recorded').notNull().default(0),
    /** Number of recorded documents that failed in ingestion. */
    ingestionFailures: integer('ingestion_failures').notNull().default(0),
    /** Number of fragments that were truncated because they are longer than the embedding model accepts. */
    truncatedFragments: integer('truncated_fragments').notNull().default(0),
    /** Number of documents with truncated fragments. */
    truncatedDocuments: integer('truncated_documents').notNull().default(0),
    /** The position from which a crawl or listing sync continues after a restart of the worker. */
    checkpoint: jsonb('checkpoint').$type<Readonly<Record<string, unknown>>>(),
    /** The position from which the next sync of the listing continues, if this run succeeds. */
    listingState: jsonb('listing_state').$type<Readonly<Record<string, unknown>>>(),
    /** Number of documents of the datasource before the run. Null for a datasource that is a single document. */
    documentsKnown: integer('documents_known'),
    /** True if the run read the whole source, so that a document that the run did not find no longer exists. */
    enumeratedAll: boolean('enumerated_all').notNull().default(false),
    failureReasons: jsonb('failure_reasons').$type<readonly FailureReason[]>().notNull(),
    timeline: jsonb('timeline').$type<readonly TimelineEntry[]>().notNull(),
    createdAt: createdAtColumn(),
    startedAt: timeColumn('started_at'),
    endedAt: timeColumn('ended_at'),
    /** Number of times that the job of the run was lost and enqueued again. */
    repeats: integer('repeats').notNull().default(0),
    /**
     * When the watchdog first found that the job had ended without a final event. Null: it has not found this. Invalid
     * if `lastEventAt` is later.
     */
    missingSince: timeColumn('missing_since'),
    /** When the gateway last received an event of the run. */
    lastEventAt: timeColumn('heard_at').notNull().defaultNow(),
  },
  (table) => [
    index('runs_of_organization').on(table.organizationId),
    index('runs_of_datasource').on(table.datasourceId, table.generation),
    index('runs_under_way')
      .on(table.lastEventAt)
      .where(sql`${table.endedAt} is null`),
  ],
);

export type RunRow = typeof runs.$inferSelect;
