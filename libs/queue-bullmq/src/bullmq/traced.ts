import { BullMQOtel } from 'bullmq-otel';
import type { Telemetry } from 'bullmq';

/** What queues and workers are opened with so that jobs go on in the traces of those who add them. */
export interface Traced {
  readonly telemetry?: Telemetry;
}

/** @param isTraced whether this process sends traces: without, jobs carry nothing of them */
export function traced(isTraced: boolean): Traced {
  return isTraced ? { telemetry: new BullMQOtel({ tracerName: 'quarry-queues' }) } : {};
}
