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

  @Describe(
    'For a web site or an item listing: remove what is gone however much it is. Absent: when more than 30 % of the known documents are gone at once, or all, they are kept, and the `note` of the run says so. An item listing is read in full. A run that cannot tell what is gone removes nothing all the same.',
  )
  @IsOptional()
  @BooleanFromText()
  readonly allowMassRemoval?: boolean;
}
