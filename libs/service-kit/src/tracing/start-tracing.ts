import type { Tracing, TracingConfig } from './start-span-export.js';

/**
 * Starts tracing for this process. The functions of spans.ts use the one tracer of the process, and record no spans
 * without it. Loads the exporter only if it is required.
 *
 * @param config undefined: no traces
 */
export async function startTracing(service: string, config: TracingConfig | undefined): Promise<Tracing> {
  if (config === undefined) return { close: () => Promise.resolve() };
  const { startSpanExport } = await import('./start-span-export.js');
  return startSpanExport(service, config);
}
