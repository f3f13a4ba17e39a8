import type { IndexDocument, SyncJob } from '@quarry/contracts';
import type { PageContent } from '../sites/page-record.js';

/** Builds the ingestion job that indexes the content of a crawled page. */
export function buildIndexJob(
  job: SyncJob,
  page: {
    readonly documentKey: string;
    readonly content: PageContent;
    readonly blobKey: string;
  },
): IndexDocument {
  const {
    organizationId,
    datastoreId,
    datasourceId,
    datasourceType,
    runId,
    generation,
    customId,
    embedding,
    splitting,
  } = job;
  const { name, mimeType, source, metadata } = page.content;
  return {
    ...{ organizationId, datastoreId, datasourceId, datasourceType, runId, generation, splitting },
    ...(customId !== undefined && { customId }),
    ...(embedding !== undefined && { embedding }),
    // The events of this job get higher numbers than those of the job that fetched the page.
    ...(job.repeat !== undefined && { repeat: job.repeat }),
    ...{ documentKey: page.documentKey, blobKey: page.blobKey, name, mimeType, source, metadata },
  };
}
