import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

/** Holds the address to which traces are sent, and the share of requests that are traced. */
export interface TracingConfig {
  /** Address of a collector that accepts OTLP over HTTP, such as `http://localhost:4318`. */
  readonly endpoint: string;
  /** Share of the requests without a caller's trace for which a trace is recorded, in [0, 1]. */
  readonly share: number;
}

export interface Tracing {
  /** Sends the spans that were not sent yet, for at most `CLOSE_MS` milliseconds. Never throws. */
  close(): Promise<void>;
}

const SEND_EVERY_MS = 1_000;
const CLOSE_MS = 2_000;

/** Sends the spans of this process to a collector. */
export function startSpanExport(service: string, config: TracingConfig): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${config.endpoint.replace(/\/$/, '')}/v1/traces` });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'quarry' }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(config.share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: SEND_EVERY_MS })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return {
    async close() {
      const timeout = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref());
      // If the collector is unavailable, the remaining spans are lost.
      await Promise.race([provider.shutdown().catch(() => undefined), timeout]);
    },
  };
}
