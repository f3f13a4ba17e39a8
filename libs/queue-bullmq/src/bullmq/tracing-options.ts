import { BullMQOtel } from 'bullmq-otel';
import type { Telemetry } from 'bullmq';

/** Describes options of queues and workers. With these options, jobs continue the traces of their producers. */
export interface TracingOptions {
  readonly telemetry?: Telemetry;
}

/** Returns the tracing options. @param isTraced true if this process exports traces */
export function createTracingOptions(isTraced: boolean): TracingOptions {
  return isTraced ? { telemetry: new BullMQOtel({ tracerName: 'quarry-queues' }) } : {};
}
