import type { JobPayloads, QueueContract } from '@quarry/contracts';
import { getCurrentTrace } from '@quarry/service-kit';
import type { Queries } from '../database/database.js';
import { outbox } from '../database/tables/outbox.js';

/** Describes a job that is published once the transaction that writes it has committed. */
export interface OutboxJob {
  readonly queue: string;
  readonly name: string;
  readonly payload: object;
}

/** Builds an outbox job whose name and payload are typed by the contract of its queue. */
export function buildOutboxJob<Jobs extends JobPayloads, Name extends keyof Jobs & string>(
  contract: QueueContract<Jobs>,
  name: Name,
  payload: Jobs[Name],
): OutboxJob {
  return { queue: contract.name, name, payload };
}

/** Maximum number of rows per statement, which keeps it below PostgreSQL's limit of 65,535 parameters. */
const MAX_ROWS = 5_000;

/** Writes jobs to the outbox. @param tx the transaction that writes the data of the jobs */
export async function writeOutbox(tx: Queries, organizationId: string, jobs: readonly OutboxJob[]): Promise<void> {
  const traceparent = getCurrentTrace() ?? null;
  for (let start = 0; start < jobs.length; start += MAX_ROWS) {
    const batch = jobs.slice(start, start + MAX_ROWS);
    await tx.insert(outbox).values(batch.map((job) => ({ ...job, organizationId, traceparent })));
  }
}

/** Wakes one waiting caller. A wake-up without a waiting caller is stored for the next call of `wait`, so that none is lost. */
export interface Signal {
  wake(): void;
  /** Resolves after the next call of `wake`, or after `timeoutMs` milliseconds. */
  wait(timeoutMs: number): Promise<void>;
}

export function createSignal(): Signal {
  let pending = false;
  let release: (() => void) | undefined;
  return {
    wake: () => {
      pending = true;
      release?.();
    },
    wait: async (timeoutMs) => {
      if (!pending) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs);
          release = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        release = undefined;
      }
      pending = false;
    },
  };
}
