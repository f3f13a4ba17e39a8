import {
  isSettledStatus,
  TryLater,
  type OpenedRun,
  type RunGateway,
  type RunRef,
  type RunState,
  ingestionQueue,
  type IndexDocument,
} from '@quarry/contracts';
import { cleanJson } from '@quarry/queue';
import { and, eq, sql } from 'drizzle-orm';
import type { Queries } from '../../database/database.js';
import { isId } from '../../database/id.js';
import { isDatabaseUnavailable, redactQueryParameters } from '../../database/query-error.js';
import { buildPresentDatastoreCondition } from '../../datastores/datastore-repository.js';
import { datasources } from '../../database/tables/datasources.js';
import { runs } from '../../database/tables/runs.js';
import type { ChangePublisher } from '../../changes/change-publisher.js';
import { type Signal, buildOutboxJob, writeOutboxJobs } from '../../outbox/outbox.js';
import { findIndexedVersions } from '../document-versions.js';
import { getEndedRunState, lockRun } from '../run-in-progress.js';
import { recordDocuments } from './record-documents.js';

export interface RunGatewayParts {
  readonly db: Queries;
  readonly clock: () => Date;
  /** Wakes the dispatcher, which publishes the jobs of the outbox. */
  readonly outboxWritten: Pick<Signal, 'wake'>;
  readonly changes: Pick<ChangePublisher, 'publish'>;
}

const RETRY_MS = 5_000;

/** Opens a `RunGateway` on the gateway's database, for a worker in the same process. */
export function openRunGateway(parts: RunGatewayParts): RunGateway {
  const gateway = createDatabaseRunGateway(parts);
  return {
    readRunStates: async (requested) => translateUnavailability(gateway.readRunStates(requested)),
    openRun: async (run) => translateUnavailability(gateway.openRun(run)),
    readIndexedVersions: async (request) => translateUnavailability(gateway.readIndexedVersions(request)),
    recordDocuments: async (request) =>
      translateUnavailability(gateway.recordDocuments(replaceInvalidCharacters(request))),
    enqueueDocument: async (job) => translateUnavailability(gateway.enqueueDocument(replaceInvalidCharacters(job))),
  };
}

/**
 * Creates a `RunGateway` on the gateway's database, for the internal routes. Throws the errors of the database
 * unchanged.
 */
export function createDatabaseRunGateway({ db, clock, outboxWritten, changes }: RunGatewayParts): RunGateway {
  return {
    readRunStates: async (requested) => findRunStates(db, requested),
    openRun: async (run) => openRun(db, run),
    readIndexedVersions: async (request) =>
      isId(request.datasourceId) ? findIndexedVersions(db, request) : request.documentKeys.map(() => null),
    recordDocuments: async (request) => {
      const recorded = await recordDocuments(db, request, clock());
      if (request.toIndex.length > 0) outboxWritten.wake();
      changes.publish({ kind: 'datasource', id: request.datasourceId });
      return recorded;
    },
    enqueueDocument: async (job) => {
      const state = await enqueueDocument(db, job);
      outboxWritten.wake();
      return state;
    },
  };
}

/** Replaces those characters of a request that PostgreSQL cannot store. */
function replaceInvalidCharacters<Request extends object>(request: Request): Request {
  return cleanJson(request) as Request; // only its strings change
}

/**
 * Returns the result of `work`. If `work` rejects, rejects with `TryLater` if the database is unavailable, else with
 * the error of `work` without the parameters of the query.
 */
async function translateUnavailability<Answer>(work: Promise<Answer>): Promise<Answer> {
  try {
    return await work;
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw redactQueryParameters(error);
    throw new TryLater(RETRY_MS, "the gateway's database is unavailable", { cause: redactQueryParameters(error) });
  }
}

async function findRunStates(db: Queries, requestedRuns: readonly RunRef[]): Promise<readonly RunState[]> {
  const ids = [...new Set(requestedRuns.map(({ datasourceId }) => datasourceId))].filter(isId);
  if (ids.length === 0) return requestedRuns.map(() => 'removed');
  const rows = await db
    .select({ id: datasources.id, runId: datasources.runId, status: datasources.status })
    .from(datasources)
    .where(and(sql`${datasources.id} = any(${sql.param(ids)}::uuid[])`, buildPresentDatastoreCondition()));
  const rowsById = new Map(rows.map((row) => [row.id, row]));
  return requestedRuns.map(({ datasourceId, runId }) => {
    const row = rowsById.get(datasourceId);
    if (row === undefined) return 'removed';
    return row.runId === runId && !isSettledStatus(row.status) ? 'wanted' : 'cancelled';
  });
}

async function openRun(db: Queries, run: RunRef): Promise<OpenedRun> {
  const [state = 'removed'] = await findRunStates(db, [run]);
  if (state !== 'wanted') return { state };
  const [found] = await db.select({ checkpoint: runs.checkpoint }).from(runs).where(eq(runs.id, run.runId));
  const checkpoint = found?.checkpoint ?? null;
  return checkpoint === null ? { state } : { state, checkpoint };
}

/**
 * Writes the ingestion job of the only document of a run, such as a page, to the outbox. A repeated job changes
 * nothing, because the queue ignores a job with an id that it already contains.
 *
 * @returns the state of the run; the job is written only if the state is `wanted`
 */
export async function enqueueDocument(db: Queries, job: IndexDocument): Promise<RunState> {
  return db.transaction(async (tx) => {
    const locked = await lockRun(tx, job);
    if (typeof locked === 'string') return getEndedRunState(locked);
    const { organizationId, datastoreId, lastSynch } = locked.row;
    const payload = Object.assign({}, job, { organizationId, datastoreId });
    const jobClass = lastSynch === null ? 'interactive' : 'sync';
    const written = buildOutboxJob(ingestionQueue, { name: 'index-document', payload, class: jobClass });
    await writeOutboxJobs(tx, organizationId, [written]);
    return 'wanted';
  });
}
