import {
  Describe,
  IsArray,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { MAX_ID_LENGTH } from './datasource.js';

/** Describes a document of an upsert request. */
@Describe(
  'A document. It replaces the existing document with the same `id`. Without an `id`, `metadata.source` identifies the document. Without both, `metadata.custom_id` and `name` do; without a `name`, `metadata.custom_id` and the text do. A request with two documents that replace each other is rejected.',
)
export class UpsertDocument {
  @IsString()
  @Matches(/\S/u, { message: 'must contain a character other than white space' })
  readonly text: string;

  @IsOptional()
  @IsString()
  @MaxLength(500)
  readonly name?: string | null;

  @Describe(
    'Free-form metadata. `source` is the URL that search results show. `custom_id` can be used in `filters.custom_ids`.',
  )
  @IsOptional()
  @IsObject()
  readonly metadata?: Readonly<Record<string, unknown>> | null;

  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_ID_LENGTH)
  readonly id?: string | null;
}

/** Describes the body of `POST /datastores/upsert/{datastoreId}`. */
export class UpsertRequest {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => UpsertDocument)
  readonly documents: readonly UpsertDocument[];
}

/** Describes the `200` response of `POST /datastores/upsert/{datastoreId}`. */
export class UpsertResponse {
  @IsArray()
  @IsString({ each: true })
  @Describe('Ids of the datasources of the documents, in the order of the request.')
  readonly ids: readonly string[];
}
