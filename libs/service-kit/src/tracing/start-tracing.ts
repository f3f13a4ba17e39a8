import type { Tracing, TracingConfig } from './start-span-export.js';

/**
 * Starts tracing for this process. Without this call, the functions of spans.ts record no spans. Loads the exporter
 * only if `config` is defined.
 *
 * @param config undefined: this process sends no traces
 */
export async function startTracing(service: string, config: TracingConfig | undefined): Promise<Tracing> {
  if (config === undefined) return { close: () => Promise.resolve() };
  const { startSpanExport } = await import('./start-span-export.js');
  return startSpanExport(service, config);
}
