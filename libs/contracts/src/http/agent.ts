import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsNotEmpty,
  IsOptional,
  IsString,
  MaxLength,
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

  /** Answer from the datastores alone, and say so when they do not hold the answer. Absent: true. */
  @IsOptional()
  @IsBoolean()
  readonly restrictToKnowledge?: boolean | null;
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
  readonly name?: string;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(20)
  @ArrayUnique()
  @IsString({ each: true })
  readonly datastoreIds?: readonly string[];
}

/** An agent as it is set. A generation setting that is absent is the model's default. */
export interface AgentResponse extends GenerationSettings {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly datastoreIds: readonly string[];
  readonly systemPrompt: string | null;
  readonly userPrompt: string | null;
  readonly restrictToKnowledge: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}
