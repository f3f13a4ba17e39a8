import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { BlobNotFound, folderOfDatasource, type BlobStore, type DatasourceIds } from '@quarry/blob-store';
import { parse, ValidationError } from '@quarry/validation';
import { PageRecordShape, type PageContent, type PageRecord } from './page-record.js';

/** Stores the records and contents of a datasource's pages in the blob store, for restarted and later runs. */
export interface PageRecords {
  /** Reads the record of a page. Returns undefined if there is none or its format is outdated. */
  read(documentKey: string): Promise<PageRecord | undefined>;
  write(documentKey: string, record: PageRecord): Promise<void>;
  /**
   * Stores the content of a page. Replaces the content of an earlier start of this run, but not that of earlier runs, which the
   * record references until it is written.
   *
   * @returns the content for the record
   */
  writeContent(documentKey: string, content: PageContent, bytes: Uint8Array): Promise<PageContent>;
  /** Returns the blob key of the content in a record. */
  getContentKey(documentKey: string, content: PageContent): string;
}

/** Identifies a run that stores pages. */
export interface PageRun extends DatasourceIds {
  readonly generation: number;
}

export function createPageRecords(blobs: BlobStore, run: PageRun): PageRecords {
  const { records, contents } = getCrawlFolders(run);
  const getRecordKey = (documentKey: string): string => `${records}${getBlobName(documentKey)}`;
  const getContentKey = (documentKey: string, { generation }: Pick<PageContent, 'generation'>): string =>
    `${contents}${getContentBlobName(getBlobName(documentKey), generation)}`;
  return {
    getContentKey,
    read: async (documentKey) => {
      try {
        return parse(PageRecordShape, JSON.parse(await text(await blobs.read(getRecordKey(documentKey)))), 'ignore');
      } catch (error) {
        // Without a usable record, the page is fetched again.
        if (error instanceof BlobNotFound || error instanceof ValidationError || error instanceof SyntaxError)
          return undefined;
        throw error;
      }
    },
    write: async (documentKey, record) => {
      await blobs.write(getRecordKey(documentKey), Readable.from([JSON.stringify(record)]));
    },
    writeContent: async (documentKey, content, bytes) => {
      const { generation } = run;
      await blobs.write(getContentKey(documentKey, { generation }), Readable.from([bytes]));
      return { ...content, generation };
    },
  };
}

/** Returns the blob key prefixes of page records and page contents. Both are inside the datasource's folder. */
export function getCrawlFolders(datasource: Parameters<typeof folderOfDatasource>[0]): {
  readonly records: string;
  readonly contents: string;
} {
  const folder = `${folderOfDatasource(datasource)}crawl`;
  return { records: `${folder}/pages/`, contents: `${folder}/content/` };
}

/** Returns the blob name of a page's record: a hash of its document key. */
export function getBlobName(documentKey: string): string {
  return createHash('sha256').update(documentKey).digest('base64url');
}

/**
 * Returns the blob name of a page's content.
 *
 * @param generation of the run that stored it; undefined for blobs of older versions
 */
export function getContentBlobName(page: string, generation: number | undefined): string {
  return generation === undefined ? page : `${page}.${generation}`;
}
