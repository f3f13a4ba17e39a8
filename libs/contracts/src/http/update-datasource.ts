import { Describe, IsObject, IsOptional, IsString, MaxLength, Type, ValidateNested } from '@quarry/validation';
import { ItemListingConfig, WebPageConfig, WebSiteConfig } from './datasource.js';
import { IsNotBlank } from './is-not-blank.js';

/** Describes the body of `PATCH /datasources/{id}`. Absent fields stay unchanged. */
export class UpdateDatasourceRequest {
  @IsOptional()
  @IsString()
  @IsNotBlank()
  @MaxLength(500)
  readonly name?: string | null;

  @Describe(
    'Configuration fields to change, as in the request that created the datasource. Absent fields stay unchanged; null removes a field. The next sync uses the new configuration. The URL of a web page and the file of a file datasource cannot be changed.',
  )
  @IsOptional()
  @IsObject()
  readonly config?: Readonly<Record<string, unknown>> | null;
}

/**
 * Wraps a changed web site configuration, so that validation errors contain the same field paths as for a new
 * datasource.
 */
export class HoldsWebSiteConfig {
  @ValidateNested()
  @Type(() => WebSiteConfig)
  readonly config: WebSiteConfig;
}

export class HoldsWebPageConfig {
  @ValidateNested()
  @Type(() => WebPageConfig)
  readonly config: WebPageConfig;
}

export class HoldsItemListingConfig {
  @ValidateNested()
  @Type(() => ItemListingConfig)
  readonly config: ItemListingConfig;
}
