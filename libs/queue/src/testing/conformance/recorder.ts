import type { JobContext, JobFailure, JobRetry } from '../../handlers.js';
import type { Note, NoteJobs } from './sample-queue.js';

export interface Run {
  readonly key: string;
  readonly payload: Note;
  readonly job: JobContext;
}

export interface Recorder {
  readonly runs: readonly Run[];
  readonly failures: readonly JobFailure<NoteJobs>[];
  readonly retries: readonly JobRetry<NoteJobs>[];
  readonly handlers: {
    note(payload: Note, job: JobContext): Promise<void>;
    memo(payload: Note, job: JobContext): Promise<void>;
  };
  onFailed(failure: JobFailure<NoteJobs>): Promise<void>;
  onRetry(retry: JobRetry<NoteJobs>): Promise<void>;
}

/**
 * Returns handlers and hooks that record their calls.
 *
 * @param run called in each call of a handler, with the number of the call from 1. The handler returns the result of
 * `run`, or throws the error of `run`.
 */
export function createRecorder(
  run: (call: number, job: JobContext) => Promise<void> | void = () => undefined,
): Recorder {
  const runs: Run[] = [];
  const failures: JobFailure<NoteJobs>[] = [];
  const retries: JobRetry<NoteJobs>[] = [];
  const recordNote = async (payload: Note, job: JobContext): Promise<void> => {
    runs.push({ key: payload.key, payload, job });
    await run(runs.length, job);
  };
  return {
    runs,
    failures,
    retries,
    handlers: { note: recordNote, memo: recordNote },
    async onFailed(failure) {
      failures.push(failure);
    },
    async onRetry(retry) {
      retries.push(retry);
    },
  };
}
