import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface CollectedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  /** Start time in nanoseconds since 1970-01-01 UTC. */
  readonly begun: bigint;
}

export interface TraceCollector {
  /** URL of the collector, which is the value of `OTEL_EXPORTER_OTLP_ENDPOINT` for the services. */
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  close(): Promise<void>;
}

/** Describes the fields that the tests read in an OTLP request, which exports spans as JSON. */
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { key: string; value: { stringValue?: string } }[] };
    readonly scopeSpans: readonly { readonly spans: readonly ExportedSpan[] }[];
  }[];
}

interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
}

/** Starts an OpenTelemetry collector that records the spans it receives. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      spans.push(...listSpansOfExport(body as Export)); // the OTLP form
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server has this form of address
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function listSpansOfExport({ resourceSpans }: Export): readonly CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
    return scopeSpans
      .flatMap((scope) => scope.spans)
      .map(({ traceId, spanId, parentSpanId = '', name, startTimeUnixNano }) => {
        return { service, traceId, spanId, parentSpanId, name, begun: BigInt(startTimeUnixNano) };
      });
  });
}

/**
 * Formats each descendant of a span as a line `<service> <name of the span>`, indented by its depth.
 *
 * @param parentSpanId id of the span; empty to format all spans, beginning with the root spans
 */
export function formatSpanTree(spans: readonly CollectedSpan[], parentSpanId = '', depth = 0): readonly string[] {
  const children = spans.filter((span) => span.parentSpanId === parentSpanId);
  return children
    .sort((one, other) => Number(one.begun - other.begun))
    .flatMap((span) => [
      `${'  '.repeat(depth)}${span.service} ${span.name}`,
      ...formatSpanTree(spans, span.spanId, depth + 1),
    ]);
}
