import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsISO8601,
  IsNotEmpty,
  IsString,
  MaxLength,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { SERVICE_NAMES, SystemComponent, SystemDependency, type ServiceName } from '../http/system.js';

const MAX_ITEMS = 100;

/**
 * Describes the state of one process of a service. Workers send their reports to the gateway. The query service returns
 * its report on request.
 */
export class ServiceReport {
  @IsIn(SERVICE_NAMES)
  readonly name: ServiceName;

  /** Identifies the process by its host and its process id. */
  @IsString()
  @IsNotEmpty()
  @MaxLength(300)
  readonly instance: string;

  @IsString()
  @MaxLength(100)
  readonly version: string;

  @IsISO8601({ strict: true })
  readonly startedAt: string;

  @IsArray()
  @ArrayMaxSize(MAX_ITEMS)
  @ValidateNested({ each: true })
  @Type(() => SystemDependency)
  readonly dependencies: readonly SystemDependency[];

  @IsArray()
  @ArrayMaxSize(MAX_ITEMS)
  @ValidateNested({ each: true })
  @Type(() => SystemComponent)
  readonly components: readonly SystemComponent[];
}

/** Identifies a process that stops, so that the gateway no longer lists the process. */
export class ServiceEnd {
  @IsString()
  @IsNotEmpty()
  @MaxLength(300)
  readonly instance: string;
}

/**
 * Paths of service reports. `report` and `end`: the gateway receives a `ServiceReport` or a `ServiceEnd`. `status`: the
 * query service returns its report.
 */
export const SERVICE_REPORT_PATHS = {
  report: '/internal/services/reports',
  end: '/internal/services/ends',
  status: '/internal/status',
} as const;

/** Interval at which a process sends its report to the gateway, in milliseconds. */
export const SERVICE_REPORT_INTERVAL_MS = 15_000;
