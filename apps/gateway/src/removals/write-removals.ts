import { ingestionQueue, type IngestionJobs } from '@quarry/contracts';
import type { Queries } from '../database/database.js';
import { newId } from '../database/id.js';
import { removals, type RemovalKind } from '../database/tables/removals.js';
import { buildOutboxJob, writeOutbox } from '../outbox/outbox.js';
import { computeRepeatTime } from './repeat-time.js';

type RemovalJobs = Pick<IngestionJobs, `remove-${RemovalKind}`>;

/** Describes a removal without the job fields that `writeRemovals` sets. */
export type NewRemoval = {
  readonly [Kind in RemovalKind]: {
    readonly kind: Kind;
    readonly payload: Omit<RemovalJobs[`remove-${Kind}`], 'removalId' | 'attempt'>;
  };
}[RemovalKind];

/** Maximum number of rows per statement, which keeps it below PostgreSQL's limit of 65,535 parameters. */
const MAX_ROWS_PER_STATEMENT = 5_000;

/**
 * Excludes content from all searches that begin after the transaction, and writes the removal jobs to the outbox.
 *
 * @param tx the transaction that deletes the content's metadata
 */
export async function writeRemovals(
  tx: Queries,
  organizationId: string,
  written: readonly NewRemoval[],
  now: Date,
): Promise<void> {
  for (let start = 0; start < written.length; start += MAX_ROWS_PER_STATEMENT) {
    const rows = written.slice(start, start + MAX_ROWS_PER_STATEMENT).map((removal) => ({
      ...{ id: newId(), organizationId, attempts: 1, createdAt: now, repeatAt: computeRepeatTime(now, 1) },
      ...buildRemovalRow(removal),
    }));
    await tx.insert(removals).values(rows);
    await writeOutbox(tx, organizationId, rows.map(buildRemovalJob));
  }
}

/**
 * Builds the job of a removal. The job id contains the attempt, so that the retained job of an earlier attempt does not block it.
 */
export function buildRemovalJob({
  id,
  kind,
  payload,
  attempts,
}: Pick<typeof removals.$inferSelect, 'id' | 'kind' | 'payload' | 'attempts'>): ReturnType<typeof buildOutboxJob> {
  const name = `remove-${kind}` as const;
  // The payload was typed when the row was written, and the relay parses it again.
  const job = { ...payload, removalId: id, attempt: attempts } as RemovalJobs[typeof name];
  return buildOutboxJob<IngestionJobs, typeof name>(ingestionQueue, name, job);
}

function buildRemovalRow(
  removal: NewRemoval,
): Pick<typeof removals.$inferInsert, 'datastoreId' | 'kind' | 'datasourceId' | 'documentKey' | 'upTo' | 'payload'> {
  const { kind, payload } = removal;
  const { datastoreId } = payload;
  if (kind === 'datastore') return { kind, datastoreId, payload };
  if (kind === 'datasource') return { kind, datastoreId, datasourceId: payload.datasourceId, payload };
  const { datasourceId, documentKey, generation } = payload;
  return { kind, datastoreId, datasourceId, documentKey, upTo: generation, payload };
}
