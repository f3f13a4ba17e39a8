import type {
  EvaluationError,
  EvaluationMetrics,
  EvaluationSettings,
  EvaluationStatus,
  QuestionScores,
  RelevantReference,
} from '@quarry/contracts';
import { isNull, sql } from 'drizzle-orm';
import { doublePrecision, index, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { organizationIdColumn } from './organizations.js';
import { createdAtColumn, idColumn, timeColumn, quarry } from './quarry-schema.js';

/** A question of a dataset, as it is stored. */
export interface StoredQuestion {
  /** The id of the question, unique within the dataset. */
  readonly id: string;
  readonly question: string;
  /** Alternative texts, of which a correct answer contains at least one. */
  readonly expected: readonly string[];
  readonly relevant: readonly Pick<RelevantReference, keyof RelevantReference>[];
  readonly unanswerable: boolean;
}

/** A passage that a query found, as it is stored. Earlier versions stored no `documentKey` and no `text`. */
export interface FoundPassage {
  readonly datasourceId: string;
  readonly documentKey?: string | null;
  /** The beginning of the text of the passage. Empty if its datasource was deleted: see `eraseSourceTexts`. */
  readonly text?: string | null;
  readonly source: string | null;
  readonly page: number | null;
  readonly score: number;
  readonly relevant: boolean;
  readonly cited?: boolean;
}

/** Stores datasets of questions. A dataset is stored once, and deleted with its last evaluation. */
export const evaluationDatasets = quarry.table(
  'evaluation_datasets',
  {
    id: idColumn(),
    organizationId: organizationIdColumn(),
    name: text('name').notNull(),
    questions: integer('questions').notNull(),
    createdAt: createdAtColumn(),
  },
  (table) => [index('evaluation_datasets_of_organization').on(table.organizationId)],
);

export const evaluationQuestions = quarry.table(
  'evaluation_questions',
  {
    datasetId: uuid('dataset_id')
      .notNull()
      .references(() => evaluationDatasets.id, { onDelete: 'cascade' }),
    /** Position of the question in the dataset, counted from 1. */
    position: integer('position').notNull(),
    question: jsonb('question').$type<StoredQuestion>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.datasetId, table.position] })],
);

/** Stores evaluations of a datastore or an agent with a dataset. */
export const evaluations = quarry.table(
  'evaluations',
  {
    id: idColumn(),
    organizationId: organizationIdColumn(),
    datasetId: uuid('dataset_id')
      .notNull()
      .references(() => evaluationDatasets.id),
    name: text('name').notNull(),
    /** The ids are not foreign keys, because an evaluation stays when its datastore or agent is deleted. */
    datastoreId: uuid('datastore_id'),
    agentId: uuid('agent_id'),
    settings: jsonb('settings').$type<Pick<EvaluationSettings, keyof EvaluationSettings>>().notNull(),
    status: text('status').$type<EvaluationStatus>().notNull().default('waiting'),
    /** Number of rows in `evaluation_results`. `failed` is the number of rows with an error. */
    ended: integer('ended').notNull().default(0),
    failed: integer('failed').notNull().default(0),
    metrics: jsonb('metrics').$type<Pick<EvaluationMetrics, keyof EvaluationMetrics>>(),
    error: jsonb('error').$type<Pick<EvaluationError, keyof EvaluationError>>(),
    /**
     * Time until which the gateway that runs the evaluation has claimed it. The gateway extends the claim while it
     * runs. Null: no gateway runs it.
     */
    claimedUntil: timeColumn('claimed_until'),
    /** Number of claims of the evaluation so far. A gateway whose claim is not the latest one records nothing. */
    claim: integer('claim').notNull().default(0),
    /** When a gateway last worked on the evaluation. The evaluation with the earliest time is claimed next. */
    servedAt: timeColumn('served_at').notNull().defaultNow(),
    createdAt: createdAtColumn(),
    startedAt: timeColumn('started_at'),
    endedAt: timeColumn('ended_at'),
  },
  (table) => [
    index('evaluations_newest').on(table.organizationId, table.id),
    index('evaluations_of_dataset').on(table.datasetId),
    index('evaluations_in_progress').on(table.organizationId, table.id).where(isNull(table.endedAt)),
  ],
);

/**
 * Stores the outcomes of the ended questions of evaluations. A gateway that resumes an evaluation asks only the
 * questions without a row in this table.
 */
export const evaluationResults = quarry.table(
  'evaluation_results',
  {
    evaluationId: uuid('evaluation_id')
      .notNull()
      .references(() => evaluations.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    /** The scores of the outcome. Null if the question failed. */
    scores: jsonb('scores').$type<Pick<QuestionScores, keyof QuestionScores>>(),
    error: jsonb('error').$type<Pick<EvaluationError, keyof EvaluationError>>(),
    latencyMs: doublePrecision('latency_ms'),
    answer: text('answer'),
    results: jsonb('results').$type<readonly FoundPassage[]>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.evaluationId, table.position] }),
    index('evaluation_results_of_datasource').using(
      'gin',
      sql`jsonb_path_query_array(${table.results}, '$[*].datasourceId') jsonb_path_ops`,
    ),
  ],
);

export type EvaluationRow = typeof evaluations.$inferSelect;
export type EvaluationResultRow = typeof evaluationResults.$inferSelect;
