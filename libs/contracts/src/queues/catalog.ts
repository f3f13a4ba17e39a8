import {
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  IsUrl,
  Max,
  Min,
} from '@quarry/validation';
import { ORGANIZATION_SHARE, STANDARD_RETENTION, STANDARD_RETRY, type QueueContract } from './queue-contract.js';
import { SyncJob, formatSyncJobId } from './sync-job.js';

export const CATALOG_SYNC_MODES = ['incremental', 'full'] as const;
/**
 * Names the mode of a sync. `incremental` reads the items that were modified since the last sync. `full` reads all
 * items, and so also detects removed items.
 */
export type CatalogSyncMode = (typeof CATALOG_SYNC_MODES)[number];

/** Describes the job that reads a customer's item listing and passes each item to ingestion. */
export class SyncCatalog extends SyncJob {
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  readonly url: string;

  /** Holds the customer's headers for requests to the listing, encrypted by the gateway. Absent: none. */
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  readonly sealedHeaders?: string;

  @IsIn(CATALOG_SYNC_MODES)
  readonly mode: CatalogSyncMode;

  /** Holds the state that the last sync stored (`RunEnumerated.listingState`). Absent: all items are read. */
  @IsOptional()
  @IsObject()
  readonly listingState?: Readonly<Record<string, unknown>>;

  /** True: the job computes what the sync would change, and changes nothing. */
  @IsBoolean()
  readonly dryRun: boolean;

  /**
   * True: the run may remove any number of items that are missing in the listing. Absent or false: the run removes none
   * if too many are missing.
   */
  @IsOptional()
  @IsBoolean()
  readonly allowMassRemoval?: boolean;

  /** Number of items in one request to the listing. */
  @IsInt()
  @Min(1)
  @Max(1_000)
  readonly pageSize: number;
}

export type CatalogJobs = { readonly 'sync-catalog': SyncCatalog };

export const catalogQueue: QueueContract<CatalogJobs> = {
  name: 'catalog',
  jobs: { 'sync-catalog': { payload: SyncCatalog, buildId: formatSyncJobId, ...STANDARD_RETRY } },
  ...STANDARD_RETENTION,
  ownerShare: ORGANIZATION_SHARE,
};
