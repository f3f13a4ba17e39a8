import { listGatewayDependencies } from '@quarry/gateway';
import { OPENAI_OPERATIONS, OPERATIONS } from '@quarry/gateway/testing';
import { expect, it } from 'vitest';
import { ALERT_RULES } from '../monitoring.js';
import { selectsSeries } from '../promql.js';

type Operation = (typeof OPERATIONS)[number];

const PING = { ping: () => Promise.resolve() };

/** The ids of the operations that wait for the blob store or for the query service. */
const WAITING_FOR_SERVERS = new Set(
  listGatewayDependencies({ database: PING, queues: PING, blobs: PING, queryService: PING })
    .filter(({ name }) => name === 'blobs' || name === 'query')
    .flatMap(({ neededBy }) => neededBy.map((needed) => needed.split(' ', 1)[0])),
);
/** The id of the operation that waits for the server of a customer. */
const WAITING_FOR_CUSTOMER = 'dryRunDatasource';

/** Returns true if requests to an operation can take seconds although the gateway and its database are fast. */
function isSlowByDesign({ id, responses, body, idempotency, isLongRunning }: Operation): boolean {
  const types = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Number(status) < 300 ? Object.keys(content) : [],
  );
  return (
    types.some((type) => type !== 'application/json') ||
    body?.form !== undefined ||
    (body?.json !== undefined && body.json.maxBytes !== 'bodyBytes') ||
    idempotency === 'lease' ||
    isLongRunning === true ||
    WAITING_FOR_SERVERS.has(id) ||
    id === WAITING_FOR_CUSTOMER
  );
}

function isMeasured(method: string, route: string): boolean {
  const { expr = '' } = ALERT_RULES.find(({ alert }) => alert === 'QuarryRequestsSlow') ?? {};
  return selectsSeries(expr, { service: 'gateway', method: method.toUpperCase(), route });
}

function getRoute(basePath: string, { path }: Operation): string {
  return `${basePath}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
}

it.each([
  { basePath: '/api', operations: OPERATIONS },
  { basePath: '/v1', operations: OPENAI_OPERATIONS },
])(
  'the alert QuarryRequestsSlow measures each operation below $basePath, except for operations that are slow by design',
  ({ basePath, operations }) => {
    const slow = operations.filter(isSlowByDesign).map(({ id }) => id);
    const excluded = operations.filter((each) => !isMeasured(each.method, getRoute(basePath, each)));
    expect(slow.length).toBeGreaterThan(10);
    expect(excluded.map(({ id }) => id)).toEqual(slow);
  },
);

it('the alert QuarryRequestsSlow measures sign-ins and internal requests, but no requests for MCP, metrics or readiness', () => {
  expect(isMeasured('post', '/api/session')).toBe(true);
  expect(isMeasured('post', '/internal/runs/open')).toBe(true);
  // The label `route` has the value `none` for MCP requests and for files of the console.
  for (const route of ['none', '/metrics', '/health/ready']) expect(isMeasured('get', route)).toBe(false);
  expect(isMeasured('post', 'none')).toBe(false);
});
