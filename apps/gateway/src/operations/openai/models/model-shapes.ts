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

/** Describes the list of all models. */
export class ModelList {
  @IsIn(['list'])
  readonly object: 'list';

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ModelObject)
  readonly data: readonly ModelObject[];
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
