import type { System, SystemService } from '@quarry/client';
import { expect, it } from 'vitest';
import { computeUptimeMs, computeSystemStatus } from './compute-system-status.js';

const READY: SystemService = {
  ...{
    name: 'crawler',
    status: 'ready',
    reason: null,
    instance: 'a-1',
    version: '1',
    startedAt: null,
    reportedAt: null,
  },
  ...{ dependencies: [], components: [] },
};
const AVAILABLE = { status: 'available', reason: null } as const;
const DATABASE = { ...AVAILABLE, sizeBytes: 1, version: '18', migration: 'a', expectedMigration: 'a' };

function buildSystem(services: readonly Partial<SystemService>[], more: Partial<System> = {}): System {
  return {
    ...{ mode: 'services', checkedAt: '2026-01-01T00:00:00Z', queues: [], database: DATABASE },
    services: services.map((service) => ({ ...READY, ...service })),
    backlog: { ...AVAILABLE, classes: [] },
    ...more,
  };
}

it.each([
  ['ready', [{}, {}]],
  ['degraded', [{}, { status: 'degraded' }]],
  ['degraded', [{}, { status: 'unavailable' }]],
  ['unavailable', [{ status: 'unavailable' }, { status: 'unavailable' }]],
  ['unavailable', [{}, { name: 'query', status: 'unavailable' }]],
] as const)('computeSystemStatus returns “%s” for the processes %j', (status, services) => {
  expect(computeSystemStatus(buildSystem(services))).toBe(status);
});

it('computeSystemStatus returns `unavailable` if the database is unavailable, and `degraded` if only the backlog is unavailable', () => {
  const database = { ...DATABASE, status: 'unavailable' as const };
  expect(computeSystemStatus(buildSystem([{}], { database }))).toBe('unavailable');
  const backlog = { status: 'unavailable' as const, reason: 'a', classes: [] };
  expect(computeSystemStatus(buildSystem([{}], { backlog }))).toBe('degraded');
});

it.each([
  ['2026-01-01T00:00:49.900Z', 50_000],
  ['2026-01-01T00:00:49.400Z', 49_000],
  ['2025-12-31T23:59:59.000Z', 1_000],
])(
  'at the check time %s, computeUptimeMs returns %i ms, which is the uptime in whole seconds and at least one second',
  (checkedAt, expected) => {
    expect(computeUptimeMs('2026-01-01T00:00:00.000Z', checkedAt)).toBe(expected);
  },
);
