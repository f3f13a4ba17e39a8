import { BooleanFromText, Describe, IsOptional } from '@quarry/validation';

/** Describes the query string of `POST /datasources/{id}/sync`. */
export class SyncQuery {
  @Describe('For an item listing: change nothing, and report the planned changes in the `note` of the run.')
  @IsOptional()
  @BooleanFromText()
  readonly dryRun?: boolean;

  @Describe('For an item listing: read all items, which also detects removed ones. Default: read modified items only.')
  @IsOptional()
  @BooleanFromText()
  readonly full?: boolean;

  @Describe(
    'For a web site or an item listing: remove missing documents however many they are. An item listing is then read in full. By default, if all known documents or more than 30 % of them are missing, Quarry removes none of them and explains this in the `note` of the run. A run that cannot determine which documents are missing never removes any.',
  )
  @IsOptional()
  @BooleanFromText()
  readonly allowMassRemoval?: boolean;
}
