import {
  ArrayMaxSize,
  ArrayUnique,
  Describe,
  IsArray,
  IsBoolean,
  IsISO8601,
  IsOptional,
  IsString,
  MaxLength,
  OrNull,
} from '@quarry/validation';
import { GenerationSettings } from './agent-query.js';
import { IsNotBlank } from './is-not-blank.js';

/** Describes the optional settings of an agent. A request to create or update an agent can set any of them. */
export class AgentSettings extends GenerationSettings {
  @IsOptional()
  @IsString()
  @MaxLength(2_000)
  readonly description?: string | null;

  @IsOptional()
  @IsString()
  @MaxLength(32_000)
  readonly systemPrompt?: string | null;

  @IsOptional()
  @IsString()
  @MaxLength(32_000)
  readonly userPrompt?: string | null;

  @Describe(
    'If true, the agent answers from its datastores only, and states when they do not contain the answer. Default: true.',
  )
  @IsOptional()
  @IsBoolean()
  readonly restrictToKnowledge?: boolean | null;

  @Describe(
    'If true, answers include citation marks: `[2]` cites the second source. If false, the marks are removed, and `cited` of each source has the same information. Default: false.',
  )
  @IsOptional()
  @IsBoolean()
  readonly citationMarks?: boolean | null;
}

/** Describes the body of `POST /agents`. */
export class CreateAgentRequest extends AgentSettings {
  @IsString()
  @IsNotBlank()
  @MaxLength(200)
  readonly name: string;

  @IsArray()
  @ArrayMaxSize(20)
  @ArrayUnique()
  @IsString({ each: true })
  readonly datastoreIds: readonly string[];
}

/** Describes the body of `PATCH /agents/{id}`. Absent fields stay unchanged; null resets a field to its default. */
export class UpdateAgentRequest extends AgentSettings {
  @IsOptional()
  @IsString()
  @IsNotBlank()
  @MaxLength(200)
  readonly name?: string | null;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(20)
  @ArrayUnique()
  @IsString({ each: true })
  readonly datastoreIds?: readonly string[] | null;
}

/** Describes an agent and its settings. */
@Describe('An agent. If a model setting is absent, the default of the model applies.')
export class AgentResponse extends GenerationSettings {
  @IsString()
  readonly id: string;

  @IsString()
  readonly name: string;

  @OrNull()
  @IsString()
  readonly description: string | null;

  @IsArray()
  @IsString({ each: true })
  @Describe('Datastores that the agent answers from.')
  readonly datastoreIds: readonly string[];

  @OrNull()
  @IsString()
  readonly systemPrompt: string | null;

  @OrNull()
  @IsString()
  readonly userPrompt: string | null;

  @IsBoolean()
  readonly restrictToKnowledge: boolean;

  @IsBoolean()
  @Describe('True if answers include citation marks, such as `[2]` for the second source.')
  readonly citationMarks: boolean;

  @IsISO8601()
  readonly createdAt: string;

  @IsISO8601()
  readonly updatedAt: string;
}
