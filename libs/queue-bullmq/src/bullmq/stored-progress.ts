import { IsInt, IsNotEmpty, IsOptional, IsString, parse, Type, ValidateNested } from '@quarry/validation';
import { type FailureReason, replaceUnstorableCharacters } from '@quarry/queue';
import type { BullJob } from './queue-server.js';

class Reason {
  @IsString()
  @IsNotEmpty()
  readonly code: string;

  @IsString()
  readonly message: string;
}

/**
 * Describes the progress of a job that has failed. BullMQ lets a running job change only its progress and its payload.
 * The progress of any other job is the number of its postponements, which is 0 in a new job.
 */
class FailedProgress {
  @ValidateNested()
  @Type(() => Reason)
  readonly failing: Reason;

  /** Absent in jobs of older Quarry versions. */
  @IsOptional()
  @IsInt()
  readonly postponements?: number;
}

export async function storeFailureInJob(job: BullJob, { code, message }: FailureReason): Promise<void> {
  const failing = { code: replaceUnstorableCharacters(code), message: replaceUnstorableCharacters(message) };
  await job.updateProgress({ failing, postponements: countPostponements(job) });
}

/** Returns the failure that an earlier start of a job stored. Undefined: no start stored a failure. */
export function findStoredFailure(job: BullJob): FailureReason | undefined {
  return readFailedProgress(job)?.failing;
}

/**
 * Increments the stored number of postponements of a job. BullMQ counts a postponed start as a start, although the
 * handler does not run.
 */
export async function recordPostponement(job: BullJob): Promise<void> {
  const postponements = countPostponements(job) + 1;
  const failing = findStoredFailure(job);
  await job.updateProgress(failing === undefined ? postponements : { failing, postponements });
}

export function countPostponements(job: BullJob): number {
  if (typeof job.progress === 'number') return job.progress;
  return readFailedProgress(job)?.postponements ?? 0;
}

function readFailedProgress({ progress }: BullJob): FailedProgress | undefined {
  return typeof progress === 'object' ? parse(FailedProgress, progress, 'ignore') : undefined;
}
