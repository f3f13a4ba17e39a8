import {
  SERVICE_NAMES,
  SERVICE_REPORT_INTERVAL_MS,
  type ServiceName,
  type ServiceReport,
  type SystemService,
} from '@quarry/contracts';
import type { StoredReport } from './service-reports.js';

/** Time in milliseconds after which a process that has not reported is `unavailable`: three report intervals. */
const SILENT_AFTER_MS = 3 * SERVICE_REPORT_INTERVAL_MS;

/** Describes a process by a current report. @param reportedAt time of the report */
export function describeServiceReport(report: ServiceReport, reportedAt: Date): SystemService {
  const { dependencies } = report;
  return { ...describeProcess(report, reportedAt), ...computeServiceStatus(dependencies), dependencies };
}

/**
 * Describes a process by the last report that it has sent. If this report is older than `SILENT_AFTER_MS`, the process
 * is `unavailable`.
 */
export function describeStoredReport({ report, reportedAt, ageMs }: StoredReport): SystemService {
  if (ageMs <= SILENT_AFTER_MS) return describeServiceReport(report, reportedAt);
  const reason = `no report for ${Math.round(ageMs / 1_000)} s, expected one every ${SERVICE_REPORT_INTERVAL_MS / 1_000} s`;
  // Omits the dependencies, because their states in the report are outdated.
  return { ...describeProcess(report, reportedAt), status: 'unavailable', reason, dependencies: [] };
}

/** Builds the part of the description of a process that does not depend on the states of its dependencies. */
function describeProcess(
  { name, instance, version, startedAt, components }: ServiceReport,
  reportedAt: Date,
): Omit<SystemService, 'status' | 'reason' | 'dependencies'> {
  return { name, instance, version, startedAt, reportedAt: reportedAt.toISOString(), components };
}

/** Describes a service of which no process has reported or responded. */
export function describeMissingService(name: ServiceName, reason: string): SystemService {
  return {
    ...{ name, status: 'unavailable', reason, instance: null, version: null, startedAt: null, reportedAt: null },
    ...{ dependencies: [], components: [] },
  };
}

/** Sorts services in the order of `SERVICE_NAMES`. The processes of one service keep their order. */
export function sortServices(services: readonly SystemService[]): SystemService[] {
  return services.toSorted((a, b) => SERVICE_NAMES.indexOf(a.name) - SERVICE_NAMES.indexOf(b.name));
}

function computeServiceStatus(dependencies: ServiceReport['dependencies']): Pick<SystemService, 'status' | 'reason'> {
  const unavailable = dependencies.filter(({ reason }) => reason !== null);
  if (unavailable.length === 0) return { status: 'ready', reason: null };
  const names = unavailable.map(({ name, reason }) => `${name}: ${String(reason)}`).join('; ');
  return { status: unavailable.some(({ required }) => required) ? 'unavailable' : 'degraded', reason: names };
}
