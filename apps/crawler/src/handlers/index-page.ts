import type { IndexDocument, SyncJob } from '@quarry/contracts';
import type { PageContent } from '../sites/page-record.js';

/** The job that brings a page's content into the datastore, under its address as the document key. */
export function indexPage(
  job: SyncJob,
  page: {
    readonly documentKey: string;
    readonly content: PageContent;
    readonly blobKey: string;
    readonly partOfRun?: true;
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
    ...(page.partOfRun && { partOfRun: true }),
    ...{ documentKey: page.documentKey, blobKey: page.blobKey, name, mimeType, source, metadata },
  };
}
