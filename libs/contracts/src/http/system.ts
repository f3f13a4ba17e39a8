import {
  Describe,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsString,
  OrNull,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { AVAILABILITY, type Availability, SystemBacklog, SystemQueue } from './system-queues.js';

/** Lists the services of an installation. */
export const SERVICE_NAMES = ['gateway', 'query', 'ingestion-worker', 'crawler', 'catalog-sync'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** Lists the kinds of configured components. A process of another version may report other kinds. */
export const COMPONENT_KINDS = [
  'vector_store',
  'queue_server',
  'blob_store',
  'model_provider',
  'default_model',
  'embedding_model',
  'embedder',
  'reranker',
  'ocr',
  'page_renderer',
] as const;

@Describe('A server or service that a service depends on.')
export class SystemDependency {
  @IsString()
  readonly name: string;

  @IsBoolean()
  @Describe('True: the service is not ready without it. False: it is degraded.')
  readonly required: boolean;

  @OrNull()
  @IsString()
  @Describe('Why it is unavailable. Null: it is available.')
  readonly reason: string | null;

  @IsArray()
  @IsString({ each: true })
  @Describe('Functions that fail or wait while it is unavailable.')
  readonly affects: readonly string[];
}

@Describe('A configured part of a service. Contains no addresses and no secrets.')
export class SystemComponent {
  @IsString()
  @Describe(`One of ${COMPONENT_KINDS.join(', ')}. Later versions may add kinds.`)
  readonly kind: string;

  @IsString()
  readonly name: string;
}

const SERVICE_STATUSES = ['ready', 'degraded', 'unavailable'] as const;
export type SystemServiceStatus = (typeof SERVICE_STATUSES)[number];

@Describe('One process of a service, or a service without a known process.')
export class SystemService {
  @IsIn(SERVICE_NAMES)
  readonly name: ServiceName;

  @IsIn(SERVICE_STATUSES)
  @Describe(
    '`ready`: all dependencies are available. `degraded`: one is not, and the service works in part. `unavailable`: it does not respond, or lacks a required dependency.',
  )
  readonly status: SystemServiceStatus;

  @OrNull()
  @IsString()
  @Describe('Why the status is not `ready`.')
  readonly reason: string | null;

  @OrNull()
  @IsString()
  @Describe('The host and the process id. Null: no process is known.')
  readonly instance: string | null;

  @OrNull()
  @IsString()
  readonly version: string | null;

  @OrNull()
  @IsISO8601()
  @Describe('When the process started.')
  readonly startedAt: string | null;

  @OrNull()
  @IsISO8601()
  @Describe('When the process last reported its state.')
  readonly reportedAt: string | null;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => SystemDependency)
  readonly dependencies: readonly SystemDependency[];

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => SystemComponent)
  readonly components: readonly SystemComponent[];
}

@Describe('The database of the metadata.')
export class SystemDatabase {
  @IsIn(AVAILABILITY)
  readonly status: Availability;

  @OrNull()
  @IsString()
  @Describe('Why the values are unavailable.')
  readonly reason: string | null;

  @OrNull()
  @IsInt()
  @Describe('Size of the database in bytes.')
  readonly sizeBytes: number | null;

  @OrNull()
  @IsString()
  @Describe('Version of PostgreSQL, such as `18.1`.')
  readonly version: string | null;

  @OrNull()
  @IsString()
  @Describe('The newest applied migration. Null: it is newer than this gateway, or the database does not respond.')
  readonly migration: string | null;

  @IsString()
  @Describe('The newest migration of this gateway.')
  readonly expectedMigration: string;
}

@Describe('The state of the installation.')
export class SystemResponse {
  @IsIn(['one_machine', 'services'])
  @Describe('`one_machine`: all services run in one process. `services`: each service is a process of its own.')
  readonly mode: 'one_machine' | 'services';

  @IsISO8601()
  @Describe('When the values were read. Requests within 2 seconds receive the same values.')
  readonly checkedAt: string;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => SystemService)
  readonly services: readonly SystemService[];

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => SystemQueue)
  readonly queues: readonly SystemQueue[];

  @ValidateNested()
  @Type(() => SystemBacklog)
  readonly backlog: SystemBacklog;

  @ValidateNested()
  @Type(() => SystemDatabase)
  readonly database: SystemDatabase;
}
