import { type DocumentOutcome, ingestionQueue, type RunGateway, type RunRef } from '@quarry/contracts';
import type { RunGatewayUnderTest, StartedRun } from '@quarry/run-reporting/testing';
import { asc, eq } from 'drizzle-orm';
import { runDocuments } from '../database/tables/run-documents.js';
import { runs } from '../database/tables/runs.js';
import { cancelDatasource } from '../datasources/cancel-datasource.js';
import { removeDatasource } from '../datasources/remove-datasource.js';
import { syncDatasource } from '../datasources/sync-datasource.js';
import { recordDocumentOutcome } from '../runs/update/record-outcomes.js';
import { publishOutboxJobs } from './jobs.js';
import { createDatastore, createSite } from './create-resources.js';
import { startTestGateway } from './start-test-gateway.js';

/**
 * Starts a gateway for the conformance suite of the port `RunGateway`. The runs of the suite are runs of web sites.
 *
 * @param createRunGateway creates the `RunGateway` that the suite tests
 */
export async function startRunGatewayUnderTest(
  createRunGateway: (test: Awaited<ReturnType<typeof startTestGateway>>) => RunGateway,
): Promise<RunGatewayUnderTest & { close(): Promise<void> }> {
  const test = await startTestGateway();
  const { gateway } = test;
  const { db, clock } = gateway;
  const { api, organizationId } = await test.createTenant();
  const datastore = await createDatastore(api);
  const findLatestRun = async (datasourceId: string): Promise<StartedRun> => {
    const found = await db.select().from(runs).where(eq(runs.datasourceId, datasourceId)).orderBy(asc(runs.generation));
    const { id: runId, generation } = found.at(-1) ?? { id: '', generation: 0 };
    return { datasourceId, runId, generation };
  };
  return {
    gateway: createRunGateway(test),
    startRun: async (known) => {
      if (known === undefined) return findLatestRun(await createSite(api, datastore));
      await syncDatasource(gateway, organizationId, known);
      return findLatestRun(known);
    },
    endRun: async ({ datasourceId }) => {
      await cancelDatasource(gateway, organizationId, datasourceId);
    },
    removeDatasource: async ({ datasourceId }) => removeDatasource(db, organizationId, datasourceId, clock()),
    settleDocument: async ({ datasourceId, runId }: RunRef, documentKey: string, outcome: DocumentOutcome) => {
      await recordDocumentOutcome(
        db,
        { datasourceId, runId, documentKey, outcome, at: clock().toISOString() },
        clock(),
      );
    },
    listUnsettledDocuments: async ({ runId }) => {
      const rows = await db.select().from(runDocuments).where(eq(runDocuments.runId, runId));
      return rows.map(({ job }) => job);
    },
    listEnqueuedDocuments: async ({ runId }) => {
      await publishOutboxJobs(test);
      const jobs = test.queues.listAddedJobs(ingestionQueue);
      return jobs.flatMap(({ name, payload }) =>
        name === 'index-document' && payload.runId === runId ? [payload] : [],
      );
    },
    close: async () => test.close(),
  };
}
