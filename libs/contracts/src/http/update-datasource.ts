import {
  Describe,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { ItemListingConfig, WebPageConfig, WebSiteConfig } from './datasource.js';

/** Body of `PATCH /datasources/{id}`: what is absent stays as it is. */
export class UpdateDatasourceRequest {
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(500)
  readonly name?: string | null;

  @Describe(
    "Fields of the configuration, as its type has them when it is made: those that are absent stay, null takes one away. The next sync goes by it. A page's address and a file stay what they are.",
  )
  @IsOptional()
  @IsObject()
  readonly config?: Readonly<Record<string, unknown>> | null;
}

/** A changed configuration is checked in its place, so that what is wrong is named as in the body. */
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
