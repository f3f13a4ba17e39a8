import { json } from '../answers.js';
import type { Operation } from '../operation.js';

const READINESS = () => ({
  type: 'object',
  properties: {
    status: { type: 'string', enum: ['ready', 'not_ready'] },
    checks: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'By what the service needs: `ok`, or what is wrong.',
    },
  },
  required: ['status', 'checks'],
});

/** What is asked of the service itself. */
export const SERVICE_OPERATIONS: readonly Operation[] = [
  {
    id: 'getLiveness',
    method: 'get',
    path: '/health/live',
    servers: ['/'],
    tag: 'Service',
    summary: 'Does the process run?',
    answers: {
      200: json('It does.', () => ({
        type: 'object',
        properties: { status: { type: 'string', const: 'live' } },
        required: ['status'],
      })),
    },
  },
  {
    id: 'getReadiness',
    method: 'get',
    path: '/health/ready',
    servers: ['/'],
    tag: 'Service',
    summary: 'Does everything answer that the service needs?',
    answers: { 200: json('It does.', READINESS), 503: json('Something does not.', READINESS) },
  },
  {
    id: 'getMetrics',
    method: 'get',
    path: '/metrics',
    servers: ['/'],
    tag: 'Service',
    summary: 'Measurements for Prometheus',
    answers: {
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
    answers: { 200: json('OpenAPI 3.1.', () => ({ type: 'object' })) },
  },
];
