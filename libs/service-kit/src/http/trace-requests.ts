import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { RequestHandler } from 'express';
import { getRoutePattern } from './get-route-pattern.js';
import { parseTraceParent, getTracer } from '../tracing/spans.js';

/**
 * Creates a span for each request. The span continues the trace of the caller only on internal routes. If public routes
 * did so, any client could add spans to a trace.
 */
export const traceRequests: RequestHandler = (request, response, next) => {
  const given = request.path.startsWith('/internal/') ? request.get('traceparent') : undefined;
  const parent = given === undefined ? context.active() : parseTraceParent(given);
  const span = getTracer().startSpan(request.method, { kind: SpanKind.SERVER }, parent);
  response.once('close', () => {
    const { method } = request;
    const { statusCode } = response;
    const route = getRoutePattern(request);
    span.updateName(`${method} ${route}`);
    span.setAttributes({
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': statusCode,
      'quarry.request_id': String(response.getHeader('x-request-id')),
    });
    if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
  context.with(trace.setSpan(parent, span), next);
};
