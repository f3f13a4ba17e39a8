import type { CrawlSite, DatasourceStatusJobs, IngestionJobs } from '@quarry/contracts';
import type { Producer } from '@quarry/queue-bullmq';
import { indexPage } from '../handlers/index-page.js';
import type { PageContent, PageRecord } from './page-record.js';

export interface Reason {
  readonly outcome: 'skipped' | 'failed';
  readonly code: string;
  readonly message: string;
}

/** Tells the gateway and ingestion of a site's pages, and counts those that were named. */
export interface SiteTellings {
  /** Hands a page to ingestion. */
  index(address: string, content: PageContent, blobKey: string): Promise<void>;
  /**
   * Says why a page is not indexed. One that was indexed before and is not to be any more is not named: the gateway removes
   * the documents that a complete run did not name, after it has made sure that they are not suspiciously many.
   */
  leaveOut(address: string, record: Pick<PageRecord, 'indexed' | 'content'>, reason: Reason): Promise<void>;
  /** Counts a page that was named by an earlier start of the run. */
  countIndexed(address: string): void;
  countLeftOut(address: string, record: Pick<PageRecord, 'indexed'>, outcome: Reason['outcome']): void;
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
  const isNamed = (record: Pick<PageRecord, 'indexed'>, outcome: Reason['outcome']): boolean =>
    outcome === 'failed' || !record.indexed;
  return {
    get documents() {
      return named.size;
    },
    countIndexed: (address) => {
      named.add(address);
    },
    countLeftOut: (address, record, outcome) => {
      if (isNamed(record, outcome)) named.add(address);
    },
    index: async (documentKey, content, blobKey) => {
      named.add(documentKey);
      await ingestion.add('index-document', indexPage(job, { documentKey, content, blobKey, partOfRun: true }));
    },
    leaveOut: async (documentKey, record, { outcome, code, message }) => {
      if (!isNamed(record, outcome)) return;
      named.add(documentKey);
      const { datasourceId, runId } = job;
      await status.add('document-settled', {
        ...{ datasourceId, runId, documentKey, at: new Date(now()).toISOString(), outcome, code, message },
        ...(record.content !== undefined && { name: record.content.name }),
        source: documentKey,
      });
    },
  };
}
