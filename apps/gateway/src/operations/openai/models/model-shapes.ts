import { Describe, IsArray, IsBoolean, IsIn, IsInt, IsString, OrNull, Type, ValidateNested } from '@quarry/validation';

/** Describes a model. Source: `Model` of https://github.com/openai/openai-openapi. */
export class ModelObject {
  @Describe('`agent:<id>` for an agent, or the name of a configured model.')
  @IsString()
  readonly id: string;

  @IsIn(['model'])
  readonly object: 'model';

  @Describe('Unix time in seconds. 0 for a configured model.')
  @IsInt()
  readonly created: number;

  @Describe('`organization` for an agent, `quarry` for a configured model.')
  @IsString()
  readonly owned_by: string;

  @Describe('Null: models are not shut down.')
  @OrNull()
  @IsString()
  readonly shutdown_date: string | null;

  @Describe('Name of the agent or of the configured model, which user interfaces show.')
  @IsString()
  readonly name: string;
}

/** Codes of the notes that a list of models can contain. */
export const MODEL_LIST_NOTES = ['configured_models_unavailable'] as const;

/** Describes the list of all models. `notes` is an extension. */
export class ModelList {
  @IsIn(['list'])
  readonly object: 'list';

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ModelObject)
  readonly data: readonly ModelObject[];

  @Describe(
    '`configured_models_unavailable`: the query service is unavailable, so the configured models are not listed.',
  )
  @IsArray()
  @IsIn(MODEL_LIST_NOTES, { each: true })
  readonly notes: readonly (typeof MODEL_LIST_NOTES)[number][];
}

/** Describes a deleted model. Source: `DeleteModelResponse` of https://github.com/openai/openai-openapi. */
export class DeletedModel {
  @IsString()
  readonly id: string;

  @IsIn(['model'])
  readonly object: 'model';

  @IsBoolean()
  readonly deleted: boolean;
}
