import type { TokenGrant, ReasonCode } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import { datasources } from '../database/tables/datasources.js';
import type { RunEnding } from '../runs/update/decide-run-status.js';
import { recordDocumentOutcome, recordRunEnumeration } from '../runs/update/record-outcomes.js';
import { recordUpdateWithLock } from '../runs/update/record-update-with-lock.js';
import { updateOrganization } from '../organizations/organization-repository.js';
import { claimTokens } from '../usage/claim-tokens.js';
import { uploadText } from './create-resources.js';
import type { UsedTenant } from './set-up-tenant.js';

/** The final status of a run of a file, and the number of tokens that the run stored. */
export interface RunEnd {
  readonly status: 'synched' | 'error' | 'usage_limit_reached';
  readonly storedTokens?: number;
}

const ENDINGS: Readonly<Record<RunEnd['status'], RunEnding>> = {
  synched: { kind: 'document', outcome: 'indexed' },
  error: { kind: 'document', outcome: 'failed' },
  usage_limit_reached: { kind: 'document', outcome: 'failed', code: 'usage_limit_reached' },
};

/**
 * Contains functions that claim and report the tokens of documents as a worker does, and a function that returns the
 * resulting token usage.
 */
export interface StoredTokens {
  readonly setTokenLimit: (storedTokens: number | null) => Promise<void>;
  readonly getUsedTokens: () => Promise<number>;
  /** Uploads a file. @returns the id of the new datasource */
  readonly uploadFile: (name: string) => Promise<string>;
  readonly claimTokensOf: (datasourceId: string, tokens: number, documentKey?: string) => Promise<TokenGrant>;
  /** Reports the end of the latest run of a file. */
  readonly settleFileRun: (id: string, end: RunEnd) => Promise<void>;
  /** Reports the outcome of a page in the latest run of a web site. */
  readonly settlePage: (
    id: string,
    documentKey: string,
    end: { storedTokens?: number; code?: ReasonCode },
  ) => Promise<void>;
  /** Reports the end of the run of a web site. */
  readonly endSiteRun: (id: string) => Promise<void>;
}

/** Creates the functions of `StoredTokens`, which use the tenant of the current test. */
export function createTokenActions(used: UsedTenant): StoredTokens {
  async function setTokenLimit(storedTokens: number | null): Promise<void> {
    const { test, tenant } = used;
    await updateOrganization(test.gateway.db, tenant.organizationId, { limits: { storedTokens } }, new Date());
  }

  async function getUsedTokens(): Promise<number> {
    const { body } = (await used.tenant.api.get('/api/usage')) as { body: { storedTokens: { used: number } } }; // as documented
    return body.storedTokens.used;
  }

  async function uploadFile(name: string): Promise<string> {
    return uploadText(used.tenant.api, used.datastore, 'text', name);
  }

  async function claimStorage(datasourceId: string, tokens: number, documentKey = 'a.txt'): Promise<TokenGrant> {
    const { organizationId } = used.tenant;
    return claimTokens(used.test.gateway.db, { organizationId, datasourceId, documentKey, tokens });
  }

  async function getRunId(id: string): Promise<string> {
    const [row] = await used.test.gateway.db.select().from(datasources).where(eq(datasources.id, id));
    if (row?.runId === undefined || row.runId === null)
      throw new Error(`expected a run of datasource ${id}, found none`);
    return row.runId;
  }

  async function settleRun(id: string, { status, storedTokens: tokens }: RunEnd): Promise<void> {
    const event = { type: 'ended', runId: await getRunId(id), sequence: 9_999, ending: ENDINGS[status] } as const;
    const at = new Date();
    const recorded = await recordUpdateWithLock(
      used.test.gateway.db,
      { datasourceId: id, event, at, storedTokens: tokens },
      at,
    );
    if (recorded !== 'settled')
      throw new Error(`expected the result "settled" for the end of the run of datasource ${id}, found ${recorded}`);
  }

  async function settlePage(
    id: string,
    documentKey: string,
    end: { storedTokens?: number; code?: ReasonCode },
  ): Promise<void> {
    const event = {
      ...{ datasourceId: id, runId: await getRunId(id), documentKey, at: new Date().toISOString(), ...end },
      outcome: end.code === undefined ? 'indexed' : 'failed',
    } as const;
    await recordDocumentOutcome(used.test.gateway.db, event, new Date());
  }

  async function endSiteRun(id: string): Promise<void> {
    const event = { datasourceId: id, runId: await getRunId(id), at: new Date().toISOString(), complete: true };
    await recordRunEnumeration(used.test.gateway.db, event, new Date());
  }

  return {
    setTokenLimit,
    getUsedTokens,
    uploadFile,
    claimTokensOf: claimStorage,
    settleFileRun: settleRun,
    settlePage,
    endSiteRun,
  };
}
