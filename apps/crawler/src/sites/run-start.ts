import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { BlobNotFound, type BlobStore, type DatasourceIds } from '@quarry/blob-store';
import { IsInt, IsString, parse, ValidationError } from '@quarry/validation';
import { crawlFolder } from './page-records.js';

class RunStart {
  @IsString()
  readonly runId: string;

  /** Milliseconds since 1970. */
  @IsInt()
  readonly startedAt: number;
}

/** When a run started for the first time, whichever process that was in. @returns milliseconds since 1970 */
export async function runStart(blobs: BlobStore, ids: DatasourceIds, runId: string, now: number): Promise<number> {
  const key = `${crawlFolder(ids)}/run`;
  const kept = await readStart(blobs, key);
  if (kept?.runId === runId) return kept.startedAt;
  await blobs.write(key, Readable.from([JSON.stringify({ runId, startedAt: now })]));
  return now;
}

async function readStart(blobs: BlobStore, key: string): Promise<RunStart | undefined> {
  try {
    return parse(RunStart, JSON.parse(await text(await blobs.read(key))), 'ignore');
  } catch (error) {
    if (error instanceof BlobNotFound || error instanceof ValidationError || error instanceof SyntaxError)
      return undefined;
    throw error;
  }
}
