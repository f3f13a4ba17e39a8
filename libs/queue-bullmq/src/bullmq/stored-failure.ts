import { IsNotEmpty, IsString, parse, Type, ValidateNested } from '@quarry/validation';
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
 * Describes a failure that is stored as the progress of a job. BullMQ lets a running job change only its progress and
 * its payload.
 */
class StoredFailure {
  @ValidateNested()
  @Type(() => Reason)
  readonly failing: Reason;
}

export async function storeFailureInJob(job: BullJob, { code, message }: FailureReason): Promise<void> {
  const stored: StoredFailure = {
    failing: { code: replaceUnstorableCharacters(code), message: replaceUnstorableCharacters(message) },
  };
  await job.updateProgress(stored);
}

/** Returns the failure that an earlier start of a job stored. Undefined: no start stored a failure. */
export function findStoredFailure(job: BullJob): FailureReason | undefined {
  if (typeof job.progress !== 'object') return undefined;
  return parse(StoredFailure, job.progress, 'ignore').failing;
}
