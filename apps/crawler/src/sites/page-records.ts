import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { BlobNotFound, folderOfDatasource, type BlobStore, type DatasourceIds } from '@quarry/blob-store';
import { parse, ValidationError } from '@quarry/validation';
import { PageRecordShape, type PageRecord } from './page-record.js';

/** What the crawler keeps of a datasource's pages from run to run: a record and the content of each, in the blob store. */
export interface PageRecords {
  /** @returns undefined when the page is not known, or its record is of a form that is not read any more */
  read(address: string): Promise<PageRecord | undefined>;
  write(address: string, record: PageRecord): Promise<void>;
  /** Replaces the page's content. @returns its blob key */
  writeContent(address: string, bytes: Uint8Array): Promise<string>;
  contentKey(address: string): string;
}

export function pageRecords(blobs: BlobStore, ids: DatasourceIds): PageRecords {
  const folder = crawlFolder(ids);
  const recordKey = (address: string): string => `${folder}/pages/${nameOf(address)}`;
  const contentKey = (address: string): string => `${folder}/content/${nameOf(address)}`;
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
    writeContent: async (address, bytes) => {
      await blobs.write(contentKey(address), Readable.from([bytes]));
      return contentKey(address);
    },
  };
}

/** Where a datasource's crawler keeps what it knows, under the datasource's own prefix: it goes when that goes. */
export function crawlFolder(datasource: DatasourceIds): string {
  return `${folderOfDatasource(datasource)}crawl`;
}

function nameOf(address: string): string {
  return createHash('sha256').update(address).digest('base64url');
}
