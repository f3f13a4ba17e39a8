import { IsNotEmpty, IsString, parse, Type, ValidateNested } from '@quarry/validation';
import { type FailureReason, cleanText } from '@quarry/queue';
import type { BullJob } from './queue-server.js';

class Reason {
  @IsString()
  @IsNotEmpty()
  readonly code: string;

  @IsString()
  readonly message: string;
}

/** BullMQ has one place beside the payload for what a run has to say: the job's progress. */
class KeptFailure {
  @ValidateNested()
  @Type(() => Reason)
  readonly failing: Reason;
}

export async function keepFailure(job: BullJob, { code, message }: FailureReason): Promise<void> {
  const kept: KeptFailure = { failing: { code: cleanText(code), message: cleanText(message) } };
  await job.updateProgress(kept);
}

/** The reason that an earlier start kept, if one did. */
export function keptFailure(job: BullJob): FailureReason | undefined {
  if (typeof job.progress !== 'object') return undefined;
  return parse(KeptFailure, job.progress, 'ignore').failing;
}
