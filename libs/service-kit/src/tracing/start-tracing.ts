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

/** Where traces are sent, and how many are made. */
export interface TracingConfig {
  /** Of a collector that takes OTLP over HTTP, such as `http://localhost:4318`. */
  readonly endpoint: string;
  /** Of the requests that begin a trace, in [0, 1]. */
  readonly share: number;
}

export interface Tracing {
  /** Sends what is left, for a while. Never throws. */
  close(): Promise<void>;
}

const SEND_EVERY_MS = 1_000;
const CLOSE_MS = 2_000;

/**
 * Has this process send traces. OpenTelemetry keeps one tracer for a process, to which the functions beside this one speak; where
 * it was not started they do nothing.
 *
 * @param config undefined: no traces
 */
export function startTracing(service: string, config: TracingConfig | undefined): Tracing {
  if (config === undefined) return { close: () => Promise.resolve() };
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
      const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref());
      // A collector that is away costs its spans, and nothing else.
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}
