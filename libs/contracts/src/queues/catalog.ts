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
import { STANDARD_RETENTION, STANDARD_RETRY, type QueueContract } from './queue-contract.js';
import { SyncJob, syncJobId } from './sync-job.js';

export const CATALOG_SYNC_MODES = ['incremental', 'full'] as const;
/** `incremental`: what was modified since the last sync. `full`: everything, so that what is gone shows. */
export type CatalogSyncMode = (typeof CATALOG_SYNC_MODES)[number];

/** Read a customer's item listing, and hand each item to ingestion. */
export class SyncCatalog extends SyncJob {
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  readonly url: string;

  /** The customer's request headers as the gateway sealed them. */
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  readonly sealedHeaders?: string;

  @IsIn(CATALOG_SYNC_MODES)
  readonly mode: CatalogSyncMode;

  /** What the last sync left for this one (`RunEnumerated.listingState`). Absent: everything is read. */
  @IsOptional()
  @IsObject()
  readonly listingState?: Readonly<Record<string, unknown>>;

  /** Say what would be done, and do nothing. */
  @IsBoolean()
  readonly dryRun: boolean;

  /** Whether items that are gone are removed however many they are. Absent: no. */
  @IsOptional()
  @IsBoolean()
  readonly allowMassRemoval?: boolean;

  /** Items asked for at once. */
  @IsInt()
  @Min(1)
  @Max(1_000)
  readonly pageSize: number;
}

export type CatalogJobs = { readonly 'sync-catalog': SyncCatalog };

export const catalogQueue: QueueContract<CatalogJobs> = {
  name: 'catalog',
  jobs: { 'sync-catalog': { payload: SyncCatalog, id: syncJobId, ...STANDARD_RETRY } },
  ...STANDARD_RETENTION,
};
