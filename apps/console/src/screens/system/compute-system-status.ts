import type { System, SystemService } from '@quarry/client';

export type SystemStatus = SystemService['status'];

/**
 * Returns the state of the installation: `unavailable` if the database, or all processes of at least one service, are
 * unavailable; else `degraded` if any process is not ready, or a queue or the backlog is unavailable; else `ready`.
 */
export function computeSystemStatus({ services, queues, backlog, database }: System): SystemStatus {
  const byName = Map.groupBy(services, ({ name }) => name);
  const isDown = [...byName.values()].some((processes) => processes.every(({ status }) => status === 'unavailable'));
  if (isDown || database.status === 'unavailable') return 'unavailable';
  const isReady =
    services.every(({ status }) => status === 'ready') &&
    [...queues, backlog].every(({ status }) => status === 'available');
  return isReady ? 'ready' : 'degraded';
}

/**
 * Returns the uptime of a process at the time of the check, in milliseconds. The uptime is rounded to whole seconds,
 * and is at least one second.
 */
export function computeUptimeMs(startedAt: string, checkedAt: string): number {
  const ms = Date.parse(checkedAt) - Date.parse(startedAt);
  return Math.max(1, Math.round(ms / 1_000)) * 1_000;
}
