import { VERSION, type SystemBacklog, type SystemResponse } from '@quarry/contracts';
import type { BlobStore } from '@quarry/blob-store';
import type { Queues } from '@quarry/queue';
import type { DescribedService, ServiceComponent } from '@quarry/service-kit';
import type { OpenDatabase, Queries } from '../database/database.js';
import { listGatewayDependencies } from '../dependencies.js';
import { DISPATCHED_QUEUES } from '../outbox/dispatched-queues.js';
import { measureWaitingJobs } from '../outbox/waiting-jobs.js';
import type { QueryService, QueryServiceAddress } from '../query-service/connect-query-service.js';
import type { LocalQueryService } from '../query-service/local-query-service.js';
import { createBoundedRead } from './bounded-read.js';
import { createDatabaseStateReader } from './database-state.js';
import { createQueueStateReader } from './queue-states.js';
import {
  createCombinedServiceReader,
  createLocalServiceReader,
  createQueryServiceReader,
  createReportedServiceReader,
  type ReadServices,
} from './service-states.js';

/** Reads the state of the installation: its services, queues, waiting jobs and database. */
export interface SystemState {
  /**
   * Returns the state of the installation within about 3 seconds. A service, queue or database that does not respond is
   * `unavailable`, with the reason.
   */
  read(): Promise<SystemResponse>;
}

/** Time in milliseconds for which the state is cached. All requests within this time get the same state. */
const MAX_AGE_MS = 2_000;

/** The parts of a gateway that `describeGateway` needs. */
export interface DescribedGateway {
  readonly database: OpenDatabase;
  readonly queues: Queues;
  readonly blobs: BlobStore;
  readonly queryService: QueryService;
  readonly listComponents: () => readonly ServiceComponent[];
}

interface Parts extends DescribedGateway {
  readonly clock: () => Date;
  /** The configured query service: its address, or the service itself if it runs in this process. */
  readonly address: QueryServiceAddress | LocalQueryService;
  /**
   * The services other than the gateway and the query service, if they run in this process. Absent: each runs in a
   * process of its own.
   */
  readonly localServices?: readonly DescribedService[];
}

/** Creates the reader of the state of the installation. The reader caches the state. */
export function createSystemState(parts: Parts): SystemState {
  const { clock, localServices } = parts;
  const { db } = parts.database;
  const readServices = createCombinedServiceReader(listServiceReaders(parts));
  const readQueues = createQueueStateReader(parts.queues, clock);
  const readBacklog = createBacklogReader(db);
  const readDatabase = createDatabaseStateReader(db);
  const readAll = async (): Promise<SystemResponse> => {
    const checkedAt = clock().toISOString();
    const [services, queues, backlog, database] = await Promise.all([
      readServices(),
      readQueues(),
      readBacklog(),
      readDatabase(),
    ]);
    const mode = localServices === undefined ? 'services' : 'one_machine';
    return { mode, checkedAt, services, queues, backlog, database };
  };
  return { read: createCachedRead(readAll) };
}

/**
 * Creates a function that returns the value of `read` and caches it for `MAX_AGE_MS`. Concurrent calls share one call
 * of `read`.
 */
function createCachedRead<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let pending: Promise<Value> | undefined;
  let latest: { readonly value: Value; readonly at: number } | undefined;
  const readNow = async (): Promise<Value> => {
    try {
      const value = await read();
      latest = { value, at: performance.now() };
      return value;
    } finally {
      pending = undefined;
    }
  };
  return async () => {
    if (latest !== undefined && performance.now() - latest.at < MAX_AGE_MS) return latest.value;
    return (pending ??= readNow());
  };
}

function listServiceReaders(parts: Parts): readonly ReadServices[] {
  const { address, clock, database, localServices = [] } = parts;
  const local = createLocalServiceReader([describeGateway(parts), ...localServices], clock);
  if ('search' in address) return [local];
  return [local, createQueryServiceReader(address, clock), createReportedServiceReader(database.db)];
}

/** Describes this gateway, for the state of the installation and for the reports of this gateway. */
export function describeGateway(parts: DescribedGateway): DescribedService {
  const { listComponents } = parts;
  return { name: 'gateway', version: VERSION, dependencies: listGatewayDependencies(parts), listComponents };
}

function createBacklogReader(db: Queries): () => Promise<SystemBacklog> {
  const read = createBoundedRead(async () => measureWaitingJobs(db, DISPATCHED_QUEUES));
  return async () => {
    const { value, reason } = await read();
    if (value === undefined) return { status: 'unavailable', reason, classes: [] };
    return { status: 'available', reason, classes: [...value] };
  };
}
