import {
  Describe,
  IsArray,
  IsIn,
  IsInt,
  IsISO8601,
  IsObject,
  IsString,
  Min,
  OrNull,
  Type,
  ValidateIf,
  ValidateNested,
} from '@quarry/validation';
import {
  DATASOURCE_STATUSES,
  DATASOURCE_TYPES,
  type DatasourceStatus,
  type DatasourceType,
} from '../datasource/type-and-status.js';
import { FailureReason, RunView } from './run.js';

/** Describes why a run failed as a whole. */
@Describe('The reason why the latest run failed. `code` is stable; `message` is human-readable.')
export class DatasourceError {
  @IsString()
  readonly code: string;

  @IsString()
  readonly message: string;
}

@Describe('Place of a waiting run among all jobs that wait for the same workers. Organizations take turns.')
export class QueuePlace {
  @IsInt()
  @Min(0)
  @Describe('Maximum number of jobs that start before this one, unless new jobs arrive. 0: it is the next one.')
  readonly position: number;

  @ValidateIf((place: QueuePlace) => place.estimatedSeconds !== undefined)
  @IsInt()
  @Min(1)
  @Describe(
    'Estimated number of seconds until the job starts, from the jobs that ended in the last minutes. Absent if no job runs, or too few have ended.',
  )
  readonly estimatedSeconds?: number;
}

/** Counts the searchable content of a datasource. */
@Describe(
  'The content that searches can find. Unlike the counters of the run, it includes the documents that the run did not read.',
)
export class DatasourceContent {
  @IsInt()
  @Min(0)
  @Describe('Number of indexed documents: 1 for a file, a text or a page.')
  readonly documents: number;

  @IsInt()
  @Min(0)
  @Describe('Number of searchable fragments.')
  readonly fragments: number;

  @IsInt()
  @Min(0)
  @Describe('Number of tokens in the fragments. They count toward `storedTokens` of the organization.')
  readonly storedTokens: number;
}

/** Describes a datasource. Source of the first nine fields: docs/interface.md#datasource. */
@Describe('A unit of content inside a datastore.')
export class DatasourceResponse {
  @IsString()
  readonly id: string;

  @IsIn(DATASOURCE_TYPES)
  readonly type: DatasourceType;

  @IsString()
  readonly name: string;

  @IsIn(DATASOURCE_STATUSES)
  readonly status: DatasourceStatus;

  @IsString()
  @Describe('Group of the datasource. It is the id of the datasource if no group is set.')
  readonly groupId: string;

  @IsISO8601()
  readonly updatedAt: string;

  @IsISO8601()
  readonly createdAt: string;

  @OrNull()
  @IsISO8601()
  @Describe('Time of the last successful run. Null before the first.')
  readonly lastSynch: string | null;

  @IsObject()
  @Describe('Configuration by type: the URL, the file, or the id and the metadata of the upserted text.')
  readonly config: Readonly<Record<string, unknown>>;

  @IsString()
  readonly datastoreId: string;

  @OrNull()
  @IsString()
  readonly customId: string | null;

  @OrNull()
  @IsString()
  @Describe(
    'Schedule of automatic syncs, such as `every 15m` or a cron expression in UTC. Null if it is synced manually only.',
  )
  readonly schedule: string | null;

  @OrNull()
  @IsISO8601()
  @Describe('Approximate time of the next automatic sync. Failures delay it. Null if there is none.')
  readonly nextSyncAt: string | null;

  @IsInt()
  @Min(0)
  @Describe(
    'Number of consecutive failed runs. Each one doubles the minimum delay before the next automatic sync, from 10 minutes up to 24 hours. 0 after a successful run.',
  )
  readonly consecutiveFailures: number;

  @ValidateNested()
  @Type(() => DatasourceContent)
  readonly content: DatasourceContent;

  @OrNull()
  @ValidateNested()
  @Type(() => RunView)
  @Describe('The latest run. Null before the first run.')
  readonly run: RunView | null;

  @ValidateIf((datasource: DatasourceResponse) => datasource.queue !== undefined)
  @ValidateNested()
  @Type(() => QueuePlace)
  @Describe(
    'Place of the run while its status is `pending`. Returned by `GET /datasources/{id}` only. Absent if the place is unknown, for example behind more than about 1,000 jobs.',
  )
  readonly queue?: QueuePlace;

  @OrNull()
  @ValidateNested()
  @Type(() => DatasourceError)
  @Describe('Null if the latest run did not fail.')
  readonly error: DatasourceError | null;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => FailureReason)
  readonly failureReasons: readonly FailureReason[];
}
