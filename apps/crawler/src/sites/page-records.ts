import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { BlobNotFound, folderOfDatasource, type BlobStore, type DatasourceIds } from '@quarry/blob-store';
import { parse, ValidationError } from '@quarry/validation';
import { PageRecordShape, type PageContent, type PageRecord } from './page-record.js';

/** Stores the records and contents of a datasource's pages in the blob store, for restarted and later runs. */
export interface PageRecords {
  /** Returns the record of a page, or undefined if there is none or its format is outdated. */
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
  contentKey(documentKey: string, content: PageContent): string;
}

/** Identifies a run that stores pages. */
export interface PageRun extends DatasourceIds {
  readonly generation: number;
}

export function createPageRecords(blobs: BlobStore, run: PageRun): PageRecords {
  const { records, contents } = crawlFolders(run);
  const recordKey = (documentKey: string): string => `${records}${blobNameOf(documentKey)}`;
  const contentKey = (documentKey: string, { generation }: Pick<PageContent, 'generation'>): string =>
    `${contents}${contentBlobName(blobNameOf(documentKey), generation)}`;
  return {
    contentKey,
    read: async (documentKey) => {
      try {
        return parse(PageRecordShape, JSON.parse(await text(await blobs.read(recordKey(documentKey)))), 'ignore');
      } catch (error) {
        // Without a usable record, the page is fetched again.
        if (error instanceof BlobNotFound || error instanceof ValidationError || error instanceof SyntaxError)
          return undefined;
        throw error;
      }
    },
    write: async (documentKey, record) => {
      await blobs.write(recordKey(documentKey), Readable.from([JSON.stringify(record)]));
    },
    writeContent: async (documentKey, content, bytes) => {
      const { generation } = run;
      await blobs.write(contentKey(documentKey, { generation }), Readable.from([bytes]));
      return { ...content, generation };
    },
  };
}

/** Returns the prefixes of the blobs of all pages. They are inside the folder of the datasource and are removed with it. */
export function crawlFolders(datasource: Parameters<typeof folderOfDatasource>[0]): {
  readonly records: string;
  readonly contents: string;
} {
  const folder = `${folderOfDatasource(datasource)}crawl`;
  return { records: `${folder}/pages/`, contents: `${folder}/content/` };
}

/** Returns the name of the blobs of a page. */
export function blobNameOf(documentKey: string): string {
  return createHash('sha256').update(documentKey).digest('base64url');
}

/** Returns the name of a content blob. @param generation of the run that stored it; undefined for blobs of older versions */
export function contentBlobName(page: string, generation: number | undefined): string {
  return generation === undefined ? page : `${page}.${generation}`;
}
