import type { CrawlSite, DatasourceStatusJobs, IngestionJobs, ReasonCode } from '@quarry/contracts';
import type { Producer } from '@quarry/queue-bullmq';
import { indexPage } from '../handlers/index-page.js';
import type { PageContent } from './page-record.js';

export interface Reason {
  readonly outcome: 'skipped' | 'failed';
  readonly code: ReasonCode;
  readonly message: string;
}

/** Tells the gateway and ingestion of a site's pages, and counts those that were named. */
export interface SiteTellings {
  /** Hands a page to ingestion. */
  index(address: string, content: PageContent, blobKey: string): Promise<void>;
  /** Says why a page is not indexed. Whether what is stored of it from before goes is for the gateway to say. */
  leaveOut(address: string, reason: Reason, name?: string): Promise<void>;
  /** Counts a page that was named by an earlier start of the run. */
  count(address: string): void;
  /** How many documents were named. */
  readonly documents: number;
}

export interface TellingParts {
  readonly job: CrawlSite;
  readonly ingestion: Producer<IngestionJobs>;
  readonly status: Producer<DatasourceStatusJobs>;
  readonly now: () => number;
}

export function siteTellings({ job, ingestion, status, now }: TellingParts): SiteTellings {
  const named = new Set<string>();
  return {
    get documents() {
      return named.size;
    },
    count: (address) => {
      named.add(address);
    },
    index: async (documentKey, content, blobKey) => {
      named.add(documentKey);
      await ingestion.add('index-document', indexPage(job, { documentKey, content, blobKey, partOfRun: true }));
    },
    leaveOut: async (documentKey, { outcome, code, message }, name) => {
      named.add(documentKey);
      const { datasourceId, runId } = job;
      await status.add('document-settled', {
        ...{ datasourceId, runId, documentKey, at: new Date(now()).toISOString(), outcome, code, message },
        ...(name !== undefined && { name }),
        source: documentKey,
      });
    },
  };
}
