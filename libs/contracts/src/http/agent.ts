import {
  ArrayMaxSize,
  ArrayUnique,
  Describe,
  IsArray,
  IsBoolean,
  IsISO8601,
  IsNotEmpty,
  IsOptional,
  IsString,
  MaxLength,
  OrNull,
} from '@quarry/validation';
import { GenerationSettings } from './agent-query.js';

/** What an agent can be set to, each settable alone. */
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

  @Describe('Answer from the datastores alone, and say so when they do not hold the answer. Absent: true.')
  @IsOptional()
  @IsBoolean()
  readonly restrictToKnowledge?: boolean | null;

  @Describe(
    'Keep the marks by which the model cites in the answer: `[2]` is the second of the sources. Absent: false, they are taken out, and `cited` says it.',
  )
  @IsOptional()
  @IsBoolean()
  readonly citationMarks?: boolean | null;
}

/** Body of `POST /agents`. */
export class CreateAgentRequest extends AgentSettings {
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  readonly name: string;

  @IsArray()
  @ArrayMaxSize(20)
  @ArrayUnique()
  @IsString({ each: true })
  readonly datastoreIds: readonly string[];
}

/** Body of `PATCH /agents/{id}`: what is absent stays as it is, what is null goes back to its default. */
export class UpdateAgentRequest extends AgentSettings {
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  readonly name?: string | null;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(20)
  @ArrayUnique()
  @IsString({ each: true })
  readonly datastoreIds?: readonly string[] | null;
}

/** An agent as it is set. */
@Describe("An agent. A generation setting that is absent is the model's default.")
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
  @Describe('What it answers from.')
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
  @Describe('Whether answers keep the marks by which the model cites, such as `[2]` for the second of the sources.')
  readonly citationMarks: boolean;

  @IsISO8601()
  readonly createdAt: string;

  @IsISO8601()
  readonly updatedAt: string;
}
