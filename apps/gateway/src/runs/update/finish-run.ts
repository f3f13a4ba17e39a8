import {
  type DatasourceStatus,
  isSettledStatus,
  type RunStatus,
  type DeliverWebhook,
  type WebhookEventType,
} from '@quarry/contracts';
import { and, desc, eq, inArray } from 'drizzle-orm';
import type { DatasourceRow } from '../../database/tables/datasources.js';
import { type RunRow, runs } from '../../database/tables/runs.js';
import type { Queries } from '../../database/database.js';
import { hasDocumentsInProgress, type LockedRun } from '../run-in-progress.js';
import { loadStoredTotals } from '../document-rows.js';
import { newId } from '../../database/id.js';
import { webhooks } from '../../database/tables/webhooks.js';
import { writeDeliveries } from '../../webhooks/deliveries.js';

/** The status with which a run ended, and its error code. Null: the run has no error. */
interface RunEnd {
  readonly status: DatasourceStatus;
  readonly code: string | null;
}

/** Computes those columns of a datasource that only the end of a run changes. */
export async function computeRunEndColumns(
  tx: Queries,
  { row, run }: LockedRun,
  end: RunEnd,
  now: Date,
): Promise<Partial<DatasourceRow>> {
  if (run.dryRun) return computeDryRunEndColumns(tx, row);
  // Reads the totals again, because a run that was cancelled or ended by the watchdog may have stored documents.
  const stored = row.documentKey === null || run.documentsSettled > 0 ? await loadStoredTotals(tx, row.id) : {};
  const isComplete = run.documentsExpected !== null && !(await hasDocumentsInProgress(tx, { row, run }));
  return { ...stored, ...computeListingState(run, end, isComplete), ...planNextSyncAfterRun(row, run, end, now) };
}

/**
 * Computes the cursor from which the next incremental sync of a listing continues. If the ingestion of an item failed,
 * an incremental sync keeps the earlier cursor, so that the next sync reads the item again. A successful full sync
 * stores its new cursor even then: the next full sync indexes the item, because no stored version of the item matches.
 *
 * @param isComplete true if all documents of the run were found and have settled
 */
function computeListingState(
  { mode, listingState, ingestionFailures }: RunRow,
  { status }: RunEnd,
  isComplete: boolean,
): Partial<Pick<DatasourceRow, 'listingState'>> {
  const isKept = ingestionFailures === 0 ? isComplete : mode === 'full' && status === 'synched';
  return isKept && listingState !== null ? { listingState } : {};
}

const FIRST_DELAY_MS = 5 * 60_000;
const MAX_DELAY_MS = 24 * 3_600_000;
const MAX_DOUBLINGS = 20;

/**
 * Computes the number of consecutive failures and the next scheduled times of a datasource after a run. Each
 * consecutive failure doubles the delay, up to 24 hours.
 */
function planNextSyncAfterRun(
  row: DatasourceRow,
  { mode }: Pick<RunRow, 'mode'>,
  { status, code }: RunEnd,
  now: Date,
): Partial<DatasourceRow> {
  if (status === 'synched') return { failuresRunning: 0 };
  const failuresRunning = code === 'cancelled' ? row.failuresRunning : row.failuresRunning + 1;
  const wait = failuresRunning === 0 ? 0 : FIRST_DELAY_MS * 2 ** Math.min(failuresRunning, MAX_DOUBLINGS);
  const earliest = new Date(now.getTime() + Math.min(wait, MAX_DELAY_MS));
  return {
    failuresRunning,
    ...(row.nextSyncAt !== null && row.nextSyncAt < earliest ? { nextSyncAt: earliest } : {}),
    // After a failed full sync, the next scheduled sync is again a full sync.
    ...(mode === 'full' && row.nextFullSyncAt !== null ? { nextFullSyncAt: now } : {}),
  };
}

/** Returns the newest run of a datasource that is not a dry run, or undefined if there is none. */
async function findLastRealRun(tx: Queries, datasourceId: string): Promise<RunRow | undefined> {
  const [run] = await tx
    .select()
    .from(runs)
    .where(and(eq(runs.datasourceId, datasourceId), eq(runs.dryRun, false)))
    .orderBy(desc(runs.generation))
    .limit(1);
  return run;
}

/**
 * Computes the columns that the end of a dry run restores: the state of the datasource after its last run that was not
 * a dry run.
 */
async function computeDryRunEndColumns(
  tx: Queries,
  { id, lastSynch }: DatasourceRow,
): Promise<Partial<Pick<DatasourceRow, 'status' | 'errorCode' | 'errorMessage' | 'lastSynch'>>> {
  const run = await findLastRealRun(tx, id);
  if (run === undefined || !hasSettled(run.status)) return { lastSynch };
  const isError = run.status !== 'synched';
  return {
    status: run.status,
    lastSynch,
    errorCode: isError ? (run.code ?? run.status) : null,
    errorMessage: run.message,
  };
}

/** Returns true if a run with this status has ended and was not superseded by a newer run. */
function hasSettled(status: RunStatus): status is DatasourceStatus {
  return status !== 'superseded' && isSettledStatus(status);
}

/** Contains an ended run, and its datasource with the new status. */
interface EndedRun {
  readonly datasource: DatasourceRow;
  readonly run: Pick<RunRow, 'id' | 'dryRun'>;
}

/**
 * Writes the events of ended runs for the webhooks of their organizations. Writes no events of dry runs, because dry
 * runs change nothing.
 */
export async function writeRunDeliveries(tx: Queries, endedRuns: readonly EndedRun[], now: Date): Promise<void> {
  const realRuns = endedRuns.filter(({ run }) => !run.dryRun);
  const organizations = new Set(realRuns.map(({ datasource }) => datasource.organizationId));
  if (organizations.size === 0) return;
  const enabledWebhooks = await tx
    .select({ id: webhooks.id, organizationId: webhooks.organizationId, events: webhooks.events })
    .from(webhooks)
    .where(and(inArray(webhooks.organizationId, [...organizations]), eq(webhooks.enabled, true)));
  for (const organizationId of organizations) {
    const own = enabledWebhooks.filter((webhook) => webhook.organizationId === organizationId);
    const runs = realRuns.filter(({ datasource }) => datasource.organizationId === organizationId);
    const payloads = runs.flatMap((run) => buildRunDeliveries(run, own, now));
    await writeDeliveries(tx, payloads, now);
  }
}

/** Contains a webhook, and the types of the events to which it subscribes. */
export interface SubscribedWebhook {
  readonly id: string;
  readonly events: readonly WebhookEventType[];
}

/** Builds the deliveries of an ended run. @param enabledWebhooks the enabled webhooks of the run's organization */
export function buildRunDeliveries(
  { datasource, run }: EndedRun,
  enabledWebhooks: readonly SubscribedWebhook[],
  now: Date,
): readonly DeliverWebhook[] {
  const { organizationId, status } = datasource;
  if (!isSettledStatus(status)) return [];
  const type: WebhookEventType = `datasource.${status}`;
  const { id: datasourceId, datastoreId, name, customId, errorCode: code, errorMessage: message } = datasource;
  const data = { datasourceId, datastoreId, runId: run.id, name, customId, status, code, message };
  const event = { type, timestamp: now.toISOString(), data };
  const eventId = newId();
  return enabledWebhooks
    .filter(({ events }) => events.includes(type))
    .map(({ id: webhookId }) => ({ organizationId, webhookId, eventId, event }));
}
