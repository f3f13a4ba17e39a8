import { SERVICE_REPORT_PATHS, ServiceReport, type ServiceName, type SystemService } from '@quarry/contracts';
import { readLimitedText } from '@quarry/http-responses';
import { createStatusReader, getInstanceId, type DescribedService } from '@quarry/service-kit';
import { parse } from '@quarry/validation';
import type { Queries } from '../database/database.js';
import type { QueryServiceAddress } from '../query-service/connect-query-service.js';
import { createBoundedRead } from './bounded-read.js';
import {
  describeMissingService,
  describeServiceReport,
  describeStoredReport,
  sortServices,
} from './describe-service-states.js';
import { listServiceReports } from './service-reports.js';

/** Reads the states of services. Never rejects: a service that does not respond is `unavailable`. */
export type ReadServices = () => Promise<readonly SystemService[]>;

/** Creates a function that reads the states of the services that run in this process. */
export function createLocalServiceReader(services: readonly DescribedService[], now: () => Date): ReadServices {
  const readers = services.map(createStatusReader);
  return async () => {
    const states = await Promise.all(readers.map(async (read) => read()));
    return states.map((state) => describeServiceReport(parse(ServiceReport, state, 'ignore'), now()));
  };
}

/**
 * Timeout in milliseconds for a request to the query service: its dependency checks last at most 2 seconds, and the
 * rest is for the transfer.
 */
const QUERY_TIMEOUT_MS = 2_500;
const MAX_REPORT_BYTES = 1024 * 1024;

/**
 * Creates a function that requests the state of the query service. Behind a load balancer, only one of the replicas
 * responds.
 */
export function createQueryServiceReader({ url, token }: QueryServiceAddress, now: () => Date): ReadServices {
  const read = createBoundedRead(async () => {
    const response = await fetch(new URL(SERVICE_REPORT_PATHS.status, url), {
      headers: { Authorization: `Bearer ${token}` },
      // This timeout is longer than the timeout of `createBoundedRead`, so that users see the message of
      // `createBoundedRead`.
      signal: AbortSignal.timeout(2 * QUERY_TIMEOUT_MS),
      redirect: 'error',
    });
    if (response.ok)
      return parse(ServiceReport, JSON.parse(await readLimitedText(response.body, MAX_REPORT_BYTES)), 'ignore');
    await response.body?.cancel();
    throw new Error(`expected the query service to report its state, found HTTP status ${response.status}`);
  }, QUERY_TIMEOUT_MS);
  return async () => {
    const { value, reason } = await read();
    return [value === undefined ? describeMissingService('query', reason) : describeServiceReport(value, now())];
  };
}

const REPORTING: readonly ServiceName[] = ['ingestion-worker', 'crawler', 'catalog-sync'];

/**
 * Creates a function that describes the processes whose reports are stored in the database, except this process. A
 * service of which no process has reported is `unavailable`.
 */
export function createReportedServiceReader(db: Queries): ReadServices {
  const read = createBoundedRead(async () => listServiceReports(db));
  return async () => {
    const { value, reason } = await read();
    if (value === undefined) return REPORTING.map((name) => describeMissingService(name, `unknown: ${reason}`));
    const own = getInstanceId();
    const known = value.map(describeStoredReport).filter(({ instance }) => instance !== own);
    const missing = REPORTING.filter((name) => !known.some((service) => service.name === name));
    return [...known, ...missing.map((name) => describeMissingService(name, 'no process reports'))];
  };
}

/**
 * Creates a function that calls several readers concurrently and combines their results. The states of the services are
 * in the order of `SERVICE_NAMES`.
 */
export function createCombinedServiceReader(readers: readonly ReadServices[]): () => Promise<SystemService[]> {
  return async () => sortServices((await Promise.all(readers.map(async (read) => read()))).flat());
}
