import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { BlobNotFound, type BlobStore, type DatasourceIds } from '@quarry/blob-store';
import {
  IsBoolean,
  IsInt,
  IsOptional,
  IsString,
  parse,
  Type,
  ValidateNested,
  ValidationError,
} from '@quarry/validation';
import { crawlFolder } from './page-records.js';

/** How a run ended: what it tells the gateway when its pages have been handed on. */
class RunEndShape {
  @IsInt()
  readonly documents: number;

  /** Whether a page that was not named is gone. */
  @IsBoolean()
  readonly complete: boolean;

  @IsInt()
  readonly discovered: number;

  @IsInt()
  readonly fetched: number;

  @IsOptional()
  @IsString()
  readonly note?: string;
}

class RunRecordShape {
  @IsString()
  readonly runId: string;

  /** When the run started for the first time, whichever process that was in. Milliseconds since 1970. */
  @IsInt()
  readonly startedAt: number;

  /** Absent while it goes on. */
  @IsOptional()
  @ValidateNested()
  @Type(() => RunEndShape)
  readonly end?: RunEnd;
}

type Plain<Shape> = { readonly [Field in keyof Shape]: Shape[Field] };
export type RunEnd = Plain<RunEndShape>;
export type RunRecord = Plain<RunRecordShape>;

/** The run's own record, for whoever takes it over. @param now when it starts, if it does so for the first time */
export async function beginRun(blobs: BlobStore, run: RunIds, now: number): Promise<RunRecord> {
  const kept = await readRun(blobs, run);
  if (kept?.runId === run.runId) return kept;
  const begun = { runId: run.runId, startedAt: now };
  await writeRun(blobs, run, begun);
  return begun;
}

/** From here on, a run that is taken over says the same again and does nothing else. */
export async function endRun(blobs: BlobStore, run: RunIds, begun: RunRecord, end: RunEnd): Promise<void> {
  await writeRun(blobs, run, { ...begun, end });
}

type RunIds = DatasourceIds & { readonly runId: string };

async function readRun(blobs: BlobStore, run: RunIds): Promise<RunRecord | undefined> {
  try {
    return parse(RunRecordShape, JSON.parse(await text(await blobs.read(keyOf(run)))), 'ignore');
  } catch (error) {
    if (error instanceof BlobNotFound || error instanceof ValidationError || error instanceof SyntaxError)
      return undefined;
    throw error;
  }
}

async function writeRun(blobs: BlobStore, run: RunIds, record: RunRecord): Promise<void> {
  await blobs.write(keyOf(run), Readable.from([JSON.stringify(record)]));
}

function keyOf(run: RunIds): string {
  return `${crawlFolder(run)}/run`;
}
