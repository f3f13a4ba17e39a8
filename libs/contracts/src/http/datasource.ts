import {
  Describe,
  Equals,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  IsUrl,
  Max,
  MaxLength,
  Min,
  Type,
  ValidateIf,
  ValidateNested,
} from '@quarry/validation';
import {
  DATASOURCE_STATUSES,
  DATASOURCE_TYPES,
  type DatasourceStatus,
  type DatasourceType,
} from '../datasource/datasource.js';
import { PageQuery } from './page.js';

/** Longest custom id or document id, in characters. */
export const MAX_ID_LENGTH = 255;

/** Longest name of a datasource, in characters. */
export const MAX_NAME_LENGTH = 500;

const WEB_ADDRESS = { protocols: ['http', 'https'], require_protocol: true, require_tld: false };

/** The form fields beside the file of `POST /external/datastores/file-upload/{datastoreId}`. */
export class FileUploadFields {
  @IsOptional()
  @IsString()
  readonly fileName?: string;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_ID_LENGTH)
  readonly custom_id?: string;
}

/** The form fields beside the file of `POST /datasources`, variant A. */
export class CreateFileFields extends FileUploadFields {
  @Equals('file')
  readonly type: 'file';

  @IsString()
  @IsNotEmpty()
  readonly datastoreId: string;
}

class CreateByAddress {
  @IsString()
  @IsNotEmpty()
  readonly datastoreId: string;

  @Describe('Absent: the address; for a page that is there already, the name that it has.')
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_NAME_LENGTH)
  readonly name?: string | null;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_ID_LENGTH)
  readonly custom_id?: string;
}

const MAX_SCHEDULE_LENGTH = 100;
const SCHEDULE = '`every 15m` (`m`, `h` or `d`), cron of five fields in UTC, or `never`';

export class WebPageConfig {
  @IsUrl(WEB_ADDRESS)
  readonly source_url: string;

  @Describe(`When to fetch it again: ${SCHEDULE}. Absent: by hand.`)
  @IsOptional()
  @IsString()
  @MaxLength(MAX_SCHEDULE_LENGTH)
  readonly schedule?: string;
}

/** Body of `POST /datasources`, variant B. */
export class CreateWebPageRequest extends CreateByAddress {
  @Equals('web_page')
  readonly type: 'web_page';

  @ValidateNested()
  @Type(() => WebPageConfig)
  readonly config: WebPageConfig;
}

/** Where the pages of a site are found. */
@Describe('At least one of the two; the sitemap is used when both are given.', {
  anyOf: ['sitemap', 'source_url'].map((field) => ({
    type: 'object',
    properties: { [field]: { type: 'string', format: 'uri' } },
    required: [field],
  })),
})
export class WebSiteConfig {
  @ValidateIf((config: WebSiteConfig) => config.sitemap !== undefined || config.source_url === undefined)
  @IsUrl(WEB_ADDRESS)
  readonly sitemap?: string;

  @ValidateIf((config: WebSiteConfig) => config.source_url !== undefined)
  @IsUrl(WEB_ADDRESS)
  readonly source_url?: string;

  @Describe(`When to crawl it again: ${SCHEDULE}. Absent: by hand.`)
  @IsOptional()
  @IsString()
  @MaxLength(MAX_SCHEDULE_LENGTH)
  readonly schedule?: string;
}

/** Body of `POST /datasources`, variant C. */
export class CreateWebSiteRequest extends CreateByAddress {
  @Equals('web_site')
  readonly type: 'web_site';

  @ValidateNested()
  @Type(() => WebSiteConfig)
  readonly config: WebSiteConfig;
}

export class ItemListingConfig {
  @IsUrl(WEB_ADDRESS)
  readonly url: string;

  @Describe('Sent with each request to the listing. Kept encrypted, and never returned.', {
    additionalProperties: { type: 'string' },
  })
  @IsOptional()
  @IsObject()
  readonly headers?: Readonly<Record<string, string>>;

  @Describe(`When to read what was modified: ${SCHEDULE}. Absent: \`every 15m\`.`)
  @IsOptional()
  @IsString()
  @MaxLength(MAX_SCHEDULE_LENGTH)
  readonly schedule?: string;

  @Describe(
    `When to read everything, so that removals show: ${SCHEDULE}. Absent: \`every 1d\`, unless \`schedule\` is \`never\`.`,
  )
  @IsOptional()
  @IsString()
  @MaxLength(MAX_SCHEDULE_LENGTH)
  readonly full_sync_every?: string;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(1_000)
  readonly page_size?: number;
}

/** Body of `POST /datasources` for a customer's item listing. */
export class CreateItemListingRequest extends CreateByAddress {
  @Equals('item_listing')
  readonly type: 'item_listing';

  @ValidateNested()
  @Type(() => ItemListingConfig)
  readonly config: ItemListingConfig;
}

/** Query string of `GET /datasources`. */
export class DatasourceListQuery extends PageQuery {
  @IsOptional()
  @IsString()
  readonly datastoreId?: string;

  @IsOptional()
  @IsIn(DATASOURCE_STATUSES)
  readonly status?: DatasourceStatus;

  @IsOptional()
  @IsIn(DATASOURCE_TYPES)
  readonly type?: DatasourceType;
}
