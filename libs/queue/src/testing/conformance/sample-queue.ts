import { randomBytes } from 'node:crypto';
import type { QueueContract } from '@quarry/contracts';
import { IsInt, IsOptional, IsString } from '@quarry/validation';

export class Note {
  @IsString()
  readonly key: string;

  @IsOptional()
  @IsString()
  readonly text?: string;
}

/** Describes the payload of a `note` job in another version of the service. */
export class OtherNote {
  @IsString()
  readonly key: string;

  @IsOptional()
  @IsInt()
  readonly text?: number;

  @IsOptional()
  @IsString()
  readonly colour?: string;
}

export type NoteJobs = { readonly note: Note; readonly memo: Note };
export type OtherNoteJobs = { readonly note: OtherNote; readonly postcard: OtherNote };

const RETRY = { attempts: 3, backoff: { delayMs: 5, maxDelayMs: 20, jitter: 0.5 } };
const RETENTION = { keepCompletedSeconds: 3600, keepFailedSeconds: 3600 };
const getNoteId = (note: { readonly key: string }): string => `note.${note.key}`;

/** Creates the contract of a queue for tests. @param name default: a unique name, so that tests do not share jobs */
export function createSampleQueue(name = `notes-${randomBytes(6).toString('hex')}`): QueueContract<NoteJobs> {
  return {
    name,
    jobs: {
      note: { payload: Note, buildId: getNoteId, ...RETRY },
      memo: { payload: Note, buildId: (note) => `memo.${note.key}`, ...RETRY },
    },
    ...RETENTION,
  };
}

/**
 * Creates a contract for the same queue with other jobs and payloads, as another version of a service would define it.
 */
export function createContractOfOtherVersion({ name }: QueueContract<NoteJobs>): QueueContract<OtherNoteJobs> {
  return {
    name,
    jobs: {
      note: { payload: OtherNote, buildId: getNoteId, ...RETRY },
      postcard: { payload: OtherNote, buildId: getNoteId, ...RETRY },
    },
    ...RETENTION,
  };
}
