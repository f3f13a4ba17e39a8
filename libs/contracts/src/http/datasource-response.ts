import {
  Describe,
  IsArray,
  IsIn,
  IsISO8601,
  IsObject,
  IsString,
  OrNull,
  Type,
  ValidateNested,
} from '@quarry/validation';
import {
  DATASOURCE_STATUSES,
  DATASOURCE_TYPES,
  type DatasourceStatus,
  type DatasourceType,
} from '../datasource/datasource.js';
import { FailureReason, RunView } from './run.js';

/** Why a run failed as a whole. */
@Describe('Why the latest run failed: `code` is stable, `message` is for people.')
export class DatasourceError {
  @IsString()
  readonly code: string;

  @IsString()
  readonly message: string;
}

/** Source of the first nine fields: interface specification, "Datasource". */
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
  @Describe('The group a datasource belongs to; its own id where it belongs to none.')
  readonly groupId: string;

  @IsISO8601()
  readonly updatedAt: string;

  @IsISO8601()
  readonly createdAt: string;

  @OrNull()
  @IsISO8601()
  @Describe('When a run last brought everything in; null before the first that did.')
  readonly lastSynch: string | null;

  @IsObject()
  @Describe('By type: the address, the file, or the metadata it was made with.')
  readonly config: Readonly<Record<string, unknown>>;

  @IsString()
  readonly datastoreId: string;

  @OrNull()
  @IsString()
  readonly customId: string | null;

  @OrNull()
  @IsString()
  @Describe('When it is synced by itself: such as `every 15m`, or cron in UTC. Null: by hand alone.')
  readonly schedule: string | null;

  @OrNull()
  @IsISO8601()
  @Describe('When it is synced by itself next, within seconds. Failures put it off. Null: never.')
  readonly nextSyncAt: string | null;

  @OrNull()
  @ValidateNested()
  @Type(() => RunView)
  @Describe('Null before the first run.')
  readonly run: RunView | null;

  @OrNull()
  @ValidateNested()
  @Type(() => DatasourceError)
  @Describe('Null when the latest run did not fail.')
  readonly error: DatasourceError | null;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => FailureReason)
  readonly failureReasons: readonly FailureReason[];
}
