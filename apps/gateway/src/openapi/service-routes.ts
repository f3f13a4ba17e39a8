import type { JsonSchema } from '@quarry/validation';
import type { RouteDescription } from '../http/declaration.js';
import { describeJsonResponse, type Schema } from '../http/responses.js';

const DEPENDENCY: JsonSchema = {
  type: 'object',
  properties: {
    available: { type: 'boolean' },
    required: { type: 'boolean', description: 'True if the gateway is not ready without this dependency.' },
    error: { type: 'string', description: 'Why it is not available.' },
    neededBy: {
      type: 'array',
      items: { type: 'string' },
      description: 'The operations that fail without this dependency.',
    },
    delays: { type: 'string', description: 'Work that is delayed until the dependency is available again.' },
  },
  required: ['available', 'required', 'neededBy'],
};

const LIVENESS: Schema<object> = {
  schema: (refTo) =>
    refTo.addSchema('LivenessResponse', {
      type: 'object',
      properties: { status: { type: 'string', const: 'live' } },
      required: ['status'],
    }),
};

const READINESS: Schema<object> = {
  schema: (refTo) =>
    refTo.addSchema('ReadinessResponse', {
      type: 'object',
      properties: {
        status: { type: 'string', enum: ['ready', 'not_ready'] },
        dependencies: {
          type: 'object',
          additionalProperties: refTo.addSchema('ReadinessDependency', DEPENDENCY),
          description:
            'The dependencies by name. Included if the request has the metrics token or a key with the scope `operate`.',
        },
      },
      required: ['status'],
    }),
};

const DEGRADED = {
  'Quarry-Degraded': 'The unavailable dependencies, separated by commas. Absent if all are available.',
};

/**
 * Lists the routes for health, metrics and the OpenAPI document. They are not operations of the API: the service kit or
 * the documentation router serves them.
 */
export const SERVICE_ROUTES: readonly RouteDescription[] = [
  {
    id: 'getLiveness',
    method: 'get',
    path: '/health/live',
    servers: ['/'],
    tag: 'Service',
    summary: 'Check whether the process is running',
    description: 'Returns 200 as long as the process responds, whether or not its dependencies are available.',
    responses: {
      200: describeJsonResponse('The process is running.', LIVENESS),
    },
  },
  {
    id: 'getReadiness',
    method: 'get',
    path: '/health/ready',
    servers: ['/'],
    tag: 'Service',
    summary: 'Check whether this replica can serve requests',
    description: 'A replica stays ready without a dependency that only some operations need. Credentials are optional.',
    responses: {
      200: describeJsonResponse('The replica can serve requests.', READINESS, DEGRADED),
      503: describeJsonResponse('A dependency that every operation needs is not available.', READINESS, DEGRADED),
    },
    problems: ['unauthorized', 'insufficient_scope', 'too_many_refusals'],
  },
  {
    id: 'getMetrics',
    method: 'get',
    path: '/metrics',
    servers: ['/'],
    tag: 'Service',
    summary: 'Get the metrics',
    description: 'Requires the metrics token (`QUARRY_METRICS_TOKEN`) or a key with the scope `operate`.',
    scopes: ['operate'],
    responses: {
      200: {
        description: 'The metrics in the Prometheus text format.',
        content: { 'text/plain': () => ({ type: 'string' }) },
      },
    },
  },
  {
    id: 'getOpenApi',
    method: 'get',
    path: '/openapi.json',
    servers: ['/', '/api'],
    tag: 'Service',
    summary: 'Get the OpenAPI document',
    description: 'Returns this document, from which code generators make clients.',
    responses: { 200: describeJsonResponse('This document, in OpenAPI 3.1.', { schema: () => ({ type: 'object' }) }) },
  },
];
