import {
  Describe,
  Equals,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
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
} from '../datasource/type-and-status.js';
import { IsNotBlank } from './is-not-blank.js';
import { IsWebUrl } from './is-web-url.js';
import { LIST_ORDERS, type ListOrder, PageQuery } from './pagination.js';

/** Maximum length of a custom id or document id, in characters. */
export const MAX_ID_LENGTH = 255;

/** Maximum length of the name of a datasource, in characters. */
export const MAX_NAME_LENGTH = 500;

/** Describes the form fields of `POST /external/datastores/file-upload/{datastoreId}`, without the file. */
export class FileUploadFields {
  @IsOptional()
  @IsString()
  readonly fileName?: string;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_ID_LENGTH)
  readonly custom_id?: string;
}

/** Describes the form fields of `POST /datasources` for an uploaded file, without the file itself. */
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

  @Describe('Default: the URL. For a page that exists already, its current name.')
  @IsOptional()
  @IsString()
  @IsNotBlank()
  @MaxLength(MAX_NAME_LENGTH)
  readonly name?: string | null;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_ID_LENGTH)
  readonly custom_id?: string;
}

const MAX_SCHEDULE_LENGTH = 100;
const SCHEDULE = '`every 15m` (`m`, `h` or `d`), a cron expression with five fields in UTC, or `never`';

export class WebPageConfig {
  @IsWebUrl()
  readonly source_url: string;

  @Describe(`Schedule for fetching the page again: ${SCHEDULE}. Default: manual sync only.`)
  @IsOptional()
  @IsString()
  @MaxLength(MAX_SCHEDULE_LENGTH)
  readonly schedule?: string;
}

/** Describes the body of `POST /datasources` for a web page. */
export class CreateWebPageRequest extends CreateByAddress {
  @Equals('web_page')
  readonly type: 'web_page';

  @ValidateNested()
  @Type(() => WebPageConfig)
  readonly config: WebPageConfig;
}

/**
 * Describes how the pages of a web site are discovered. The gateway, not a decorator, rejects a configuration with
 * neither `sitemap` nor `source_url`, because a decorator can name only one field.
 */
@Describe('At least one of the two is required. If both are given, the sitemap is used.', {
  // The schema contains `if` instead of `anyOf`, because code generators ignore `if`, but convert `anyOf` to a union of
  // types without `schedule`.
  if: { not: { required: ['sitemap'] } },
  then: { required: ['source_url'] },
})
export class WebSiteConfig {
  @ValidateIf((config: WebSiteConfig) => config.sitemap !== undefined)
  @IsWebUrl()
  readonly sitemap?: string;

  @ValidateIf((config: WebSiteConfig) => config.source_url !== undefined)
  @IsWebUrl()
  readonly source_url?: string;

  @Describe(`Schedule for crawling the site again: ${SCHEDULE}. Default: manual sync only.`)
  @IsOptional()
  @IsString()
  @MaxLength(MAX_SCHEDULE_LENGTH)
  readonly schedule?: string;
}

/** Describes the body of `POST /datasources` for a web site. */
export class CreateWebSiteRequest extends CreateByAddress {
  @Equals('web_site')
  readonly type: 'web_site';

  @ValidateNested()
  @Type(() => WebSiteConfig)
  readonly config: WebSiteConfig;
}

export class ItemListingConfig {
  @IsWebUrl()
  readonly url: string;

  @Describe('Headers of each request to the listing. They are stored encrypted and never returned.', {
    additionalProperties: { type: 'string' },
  })
  @IsOptional()
  @IsObject()
  readonly headers?: Readonly<Record<string, string>>;

  @Describe(`Schedule for reading modified items: ${SCHEDULE}. Default: \`every 15m\`.`)
  @IsOptional()
  @IsString()
  @MaxLength(MAX_SCHEDULE_LENGTH)
  readonly schedule?: string;

  @Describe(
    `Schedule for reading all items, which also detects removed ones: ${SCHEDULE}. Default: \`every 1d\`, or \`never\` if \`schedule\` is \`never\`.`,
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

/** Describes the body of `POST /datasources` for an item listing. */
export class CreateItemListingRequest extends CreateByAddress {
  @Equals('item_listing')
  readonly type: 'item_listing';

  @ValidateNested()
  @Type(() => ItemListingConfig)
  readonly config: ItemListingConfig;
}

/** Maximum length of the query parameters `name` and `code`, by which lists are filtered, in characters. */
const MAX_SEARCHED_LENGTH = 200;

/** Describes the query string of `GET /datasources`. */
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

  @Describe('The `id` with which a text was upserted. Requires `datastoreId`.')
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_ID_LENGTH)
  readonly documentId?: string;

  @Describe('Returns only datasources whose name contains this text. Letter case is ignored.')
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_SEARCHED_LENGTH)
  readonly name?: string;

  @Describe('Stable code of the reason why the latest run failed, such as `no_text_found`.')
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_SEARCHED_LENGTH)
  readonly errorCode?: string;

  @Describe('`asc`: oldest datasources first. `desc`: newest first. Default: `desc`.')
  @IsOptional()
  @IsIn(LIST_ORDERS)
  readonly order?: ListOrder;
}
