import type { RouteDescription } from '../http/declaration.js';
import { jsonResponse } from '../http/responses.js';

const DEPENDENCY = {
  type: 'object',
  properties: {
    available: { type: 'boolean' },
    required: { type: 'boolean', description: 'Whether the gateway is not ready without it.' },
    error: { type: 'string', description: 'Why it is not available.' },
    neededBy: { type: 'array', items: { type: 'string' }, description: 'The operations that fail without it.' },
    delays: { type: 'string', description: 'What waits until it is available again.' },
  },
  required: ['available', 'required', 'neededBy'],
};

const READINESS = {
  schema: () => ({
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['ready', 'not_ready'] },
      dependencies: {
        type: 'object',
        additionalProperties: DEPENDENCY,
        description: 'By name. With the metrics token, or a key with the scope `operate`.',
      },
    },
    required: ['status'],
  }),
};

const DEGRADED = { 'Quarry-Degraded': 'The dependencies that are not available, with commas. Absent: all are.' };

/** Routes of the service itself. They are not operations: the kit, or the router of the documentation, serves them. */
export const SERVICE_ROUTES: readonly RouteDescription[] = [
  {
    id: 'getLiveness',
    method: 'get',
    path: '/health/live',
    servers: ['/'],
    tag: 'Service',
    summary: 'Does the process run?',
    responses: {
      200: jsonResponse('It does.', {
        schema: () => ({
          type: 'object',
          properties: { status: { type: 'string', const: 'live' } },
          required: ['status'],
        }),
      }),
    },
  },
  {
    id: 'getReadiness',
    method: 'get',
    path: '/health/ready',
    servers: ['/'],
    tag: 'Service',
    summary: 'Can this replica serve requests?',
    description:
      'A dependency that only some operations need does not make a replica unready. Credentials are optional.',
    responses: {
      200: jsonResponse('It can.', READINESS, DEGRADED),
      503: jsonResponse('A dependency that every operation needs is not available.', READINESS, DEGRADED),
    },
    problems: ['unauthorized', 'insufficient_scope', 'too_many_refusals'],
  },
  {
    id: 'getMetrics',
    method: 'get',
    path: '/metrics',
    servers: ['/'],
    tag: 'Service',
    summary: 'Metrics for Prometheus',
    description: 'With the metrics token (`QUARRY_METRICS_TOKEN`), or a key with the scope `operate`.',
    scopes: ['operate'],
    responses: {
      200: { description: 'In the text format of Prometheus.', content: { 'text/plain': () => ({ type: 'string' }) } },
    },
  },
  {
    id: 'getOpenApi',
    method: 'get',
    path: '/openapi.json',
    servers: ['/', '/api'],
    tag: 'Service',
    summary: 'This document',
    responses: { 200: jsonResponse('OpenAPI 3.1.', { schema: () => ({ type: 'object' }) }) },
  },
];
