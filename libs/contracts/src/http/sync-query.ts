import { BooleanFromText, Describe, IsOptional } from '@quarry/validation';

/** Query string of `POST /datasources/{id}/sync`. */
export class SyncQuery {
  @Describe('For an item listing: say what would be done, in the `note` of the run, and do nothing.')
  @IsOptional()
  @BooleanFromText()
  readonly dryRun?: boolean;

  @Describe('For an item listing: read all of it, so that what is gone shows. Absent: what was modified.')
  @IsOptional()
  @BooleanFromText()
  readonly full?: boolean;
}
