import type { Tracing, TracingConfig } from './export-spans.js';

/**
 * Starts tracing for this process. OpenTelemetry has one tracer per process, which the functions of spans.ts use; without it,
 * they do nothing. Loads the exporter only when it is required.
 *
 * @param config undefined: no traces
 */
export async function startTracing(service: string, config: TracingConfig | undefined): Promise<Tracing> {
  if (config === undefined) return { close: () => Promise.resolve() };
  const { exportSpans } = await import('./export-spans.js');
  return exportSpans(service, config);
}
