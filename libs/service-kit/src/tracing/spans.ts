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

/** Where in a trace something happens, as W3C's `traceparent` writes it. */
export type TraceParent = string;

/** Where the caller is in its trace; undefined when it is in none. */
export function currentTrace(): TraceParent | undefined {
  return written(context.active());
}

/** The headers that carry the caller's place in its trace to another service. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const traceparent = currentTrace();
  return traceparent === undefined ? {} : { traceparent };
}

/** The place in a trace that was written down; that of the caller where it cannot be read. */
export function placeOf(traceparent: TraceParent): Context {
  return propagation.extract(context.active(), { traceparent });
}

/**
 * Notes what has been going on since `begun` and ends now.
 *
 * @returns its place in the trace, for what follows from it
 */
export function noteSpan(name: string, parent: TraceParent, begun: Date, attributes: Attributes): TraceParent {
  const place = placeOf(parent);
  const span = tracer().startSpan(name, { startTime: begun, kind: SpanKind.PRODUCER, attributes }, place);
  span.end();
  return written(trace.setSpan(place, span)) ?? parent;
}

/** Runs work in a span of the caller's trace. @param isAnswer whether an error is no failure of the work */
export function inSpan<T>(name: string, work: () => T, isAnswer: (error: unknown) => boolean = () => false): T {
  return tracer().startActiveSpan(name, (span) => endedBy(span, work, isAnswer));
}

function endedBy<T>(span: Span, work: () => T, isAnswer: (error: unknown) => boolean): T {
  const fail = (error: unknown): void => {
    // The message may hold what belongs to a customer: the log has it, redacted.
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
    // What it resolves with is of the type it had.
    return result.then(
      (value: unknown) => {
        span.end();
        return value;
      },
      (error: unknown) => {
        fail(error);
        throw error;
      },
    ) as T;
  } catch (error) {
    fail(error);
    throw error;
  }
}

function written(place: Context): TraceParent | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(place, carrier);
  return carrier['traceparent'];
}

export function tracer(): ReturnType<typeof trace.getTracer> {
  return trace.getTracer('quarry');
}
