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

/** Identifies a span of a trace, in the format of the W3C header `traceparent`. */
export type TraceParent = string;

/** Returns the identification of the caller's current span, or undefined if the caller has no trace. */
export function getCurrentTrace(): TraceParent | undefined {
  return formatTraceParent(context.active());
}

/** Returns the request headers with which another service continues the caller's trace. */
export function getTraceHeaders(): Readonly<Record<string, string>> {
  const traceparent = getCurrentTrace();
  return traceparent === undefined ? {} : { traceparent };
}

/**
 * Returns a context in which the identified span is the current one, so that new spans become its children. If the
 * identification is invalid, returns the context of the caller.
 */
export function parseTraceParent(traceparent: TraceParent): Context {
  return propagation.extract(context.active(), { traceparent });
}

/**
 * Records a span that lasts from `startTime` until now.
 *
 * @returns the identification of the span, which can be the parent of later spans
 */
export function recordSpan(name: string, parent: TraceParent, startTime: Date, attributes: Attributes): TraceParent {
  const place = parseTraceParent(parent);
  const span = getTracer().startSpan(name, { startTime, kind: SpanKind.PRODUCER, attributes }, place);
  span.end();
  return formatTraceParent(trace.setSpan(place, span)) ?? parent;
}

/**
 * Runs `work` in a new span of the caller's trace, and returns its result.
 *
 * @param isAnswer returns true for an error that is an expected result and not a failure of the span
 */
export function runInSpan<T>(name: string, work: () => T, isAnswer: (error: unknown) => boolean = () => false): T {
  return getTracer().startActiveSpan(name, (span) => endSpanAfter(span, work, isAnswer));
}

/** Runs `work`, and ends the span when `work` returns or throws, or when its promise settles. */
function endSpanAfter<T>(span: Span, work: () => T, isAnswer: (error: unknown) => boolean): T {
  const failSpan = (error: unknown): void => {
    // The span contains only the name of the error, because the message of the error may contain customers' data.
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
    // The cast is correct, because the promise resolves with the same type as the promise of `work`.
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
