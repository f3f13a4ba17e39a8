import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { BlobNotFound, folderOfDatasource, type BlobStore, type DatasourceIds } from '@quarry/blob-store';
import { parse, ValidationError } from '@quarry/validation';
import { PageRecordShape, type PageContent, type PageRecord } from './page-record.js';

/** What the crawler keeps of a datasource's pages from run to run: a record and the content of each, in the blob store. */
export interface PageRecords {
  /** @returns undefined when the page is not known, or its record is of a form that is not read any more */
  read(address: string): Promise<PageRecord | undefined>;
  write(address: string, record: PageRecord): Promise<void>;
  /**
   * Keeps the page's content beside that of earlier runs, in place of what an earlier start of this run has kept: until the
   * record names it, the one before is the page's.
   *
   * @returns the content as the record is to name it
   */
  writeContent(address: string, content: PageContent, bytes: Uint8Array): Promise<PageContent>;
  /** The blob that holds the content of a page's record. */
  contentKey(address: string, content: PageContent): string;
}

/** A run whose pages are kept. */
export interface PageRun extends DatasourceIds {
  readonly generation: number;
}

export function pageRecords(blobs: BlobStore, run: PageRun): PageRecords {
  const { records, contents } = crawlFolders(run);
  const recordKey = (address: string): string => `${records}${nameOf(address)}`;
  const contentKey = (address: string, { generation }: Pick<PageContent, 'generation'>): string =>
    `${contents}${contentName(nameOf(address), generation)}`;
  return {
    contentKey,
    read: async (address) => {
      try {
        return parse(PageRecordShape, JSON.parse(await text(await blobs.read(recordKey(address)))), 'ignore');
      } catch (error) {
        // A record only saves work: what cannot be used is made again.
        if (error instanceof BlobNotFound || error instanceof ValidationError || error instanceof SyntaxError)
          return undefined;
        throw error;
      }
    },
    write: async (address, record) => {
      await blobs.write(recordKey(address), Readable.from([JSON.stringify(record)]));
    },
    writeContent: async (address, content, bytes) => {
      const { generation } = run;
      await blobs.write(contentKey(address, { generation }), Readable.from([bytes]));
      return { ...content, generation };
    },
  };
}

/** Where a datasource's crawler keeps what it knows, under the datasource's own prefix: it goes when that goes. */
export function crawlFolder(datasource: Parameters<typeof folderOfDatasource>[0]): string {
  return `${folderOfDatasource(datasource)}crawl`;
}

/** Prefixes of the blobs of all pages. */
export function crawlFolders(datasource: Parameters<typeof folderOfDatasource>[0]): {
  readonly records: string;
  readonly contents: string;
} {
  const folder = crawlFolder(datasource);
  return { records: `${folder}/pages/`, contents: `${folder}/content/` };
}

/** What a page's blobs are called. */
export function nameOf(address: string): string {
  return createHash('sha256').update(address).digest('base64url');
}

/** @param generation of the run that stored it; undefined for what was stored when there was one content of a page */
export function contentName(page: string, generation: number | undefined): string {
  return generation === undefined ? page : `${page}.${generation}`;
}
