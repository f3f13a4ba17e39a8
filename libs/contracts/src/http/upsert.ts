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

/** One document of an upsert. */
@Describe(
  'A document. It replaces the document with the same `id`; without an `id`, the one with the same `metadata.source`; without both, the one with the same `metadata.custom_id` and `name`; without a `name`, the one with the same `metadata.custom_id` and text. Two documents of one call that would replace each other are refused.',
)
export class UpsertDocument {
  @IsString()
  @Matches(/\S/u, { message: 'must hold text' })
  readonly text: string;

  @IsOptional()
  @IsString()
  @MaxLength(500)
  readonly name?: string | null;

  @Describe('Free-form. `source` is the address shown with what is found; `custom_id` is for `filters.custom_ids`.')
  @IsOptional()
  @IsObject()
  readonly metadata?: Readonly<Record<string, unknown>> | null;

  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_ID_LENGTH)
  readonly id?: string | null;
}

/** Body of `POST /datastores/upsert/{datastoreId}`. */
export class UpsertRequest {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => UpsertDocument)
  readonly documents: readonly UpsertDocument[];
}

/** `200` of `POST /datastores/upsert/{datastoreId}`. */
export class UpsertResponse {
  @IsArray()
  @IsString({ each: true })
  @Describe("The ids of the documents' datasources, in the order of the documents.")
  readonly ids: readonly string[];
}
