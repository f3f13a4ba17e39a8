import {
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api';

/** Identifies a position in a trace, in the format of W3C's `traceparent`. */
export type TraceParent = string;

/** Returns the current position in the trace of the caller. Returns undefined if the caller has no trace. */
export function getCurrentTrace(): TraceParent | undefined {
  return formatTraceParent(context.active());
}

/** Returns the headers that continue the caller's trace in another service. */
export function getTraceHeaders(): Readonly<Record<string, string>> {
  const traceparent = getCurrentTrace();
  return traceparent === undefined ? {} : { traceparent };
}

/** Parses a stored position in a trace. Returns the current position of the caller if the stored one is invalid. */
export function parseTraceParent(traceparent: TraceParent): Context {
  return propagation.extract(context.active(), { traceparent });
}

/**
 * Records a span from `startTime` until now.
 *
 * @returns the position of the span in the trace, as the parent of later spans
 */
export function recordSpan(name: string, parent: TraceParent, startTime: Date, attributes: Attributes): TraceParent {
  const place = parseTraceParent(parent);
  const span = getTracer().startSpan(name, { startTime, kind: SpanKind.PRODUCER, attributes }, place);
  span.end();
  return formatTraceParent(trace.setSpan(place, span)) ?? parent;
}

/**
 * Runs `work` in a new span of the caller's trace.
 *
 * @param isAnswer returns true for errors that are no failure of the span
 */
export function runInSpan<T>(name: string, work: () => T, isAnswer: (error: unknown) => boolean = () => false): T {
  return getTracer().startActiveSpan(name, (span) => endSpanAfter(span, work, isAnswer));
}

function endSpanAfter<T>(span: Span, work: () => T, isAnswer: (error: unknown) => boolean): T {
  const failSpan = (error: unknown): void => {
    // The span contains only the name of the error, because its message may contain customers' data.
    if (!isAnswer(error)) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
    }
    span.end();
  };
  try {
    const result = work();
    if (!(result instanceof Promise)) {
      span.end();
      return result;
    }
    // The promise resolves with the same type as that of `work`.
    return result.then(
      (value: unknown) => {
        span.end();
        return value;
      },
      (error: unknown) => {
        failSpan(error);
        throw error;
      },
    ) as T;
  } catch (error) {
    failSpan(error);
    throw error;
  }
}

function formatTraceParent(traceContext: Context): TraceParent | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(traceContext, carrier);
  return carrier['traceparent'];
}

export function getTracer(): ReturnType<typeof trace.getTracer> {
  return trace.getTracer('quarry');
}
