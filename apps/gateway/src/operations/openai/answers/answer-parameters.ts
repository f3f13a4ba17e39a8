import {
  Describe,
  IsBoolean,
  IsNotEmpty,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateWith,
} from '@quarry/validation';
import { createFieldProblem } from '../../../checks/field-problem.js';
import { findMetadataViolations } from '../protocol/text-map.js';

/** Describes the stream options of chat completions and responses. */
export class StreamOptions {
  @Describe('Ignored: the stream is never padded.')
  @IsOptional()
  @IsBoolean()
  readonly include_obfuscation?: boolean;
}

/** Describes the parameters that chat completions and responses have in common. */
export class AnswerParameters {
  @Describe('`agent:<id>`, the slug of an agent, or a configured model.')
  @IsString()
  @IsNotEmpty()
  readonly model: string;

  @IsOptional()
  @IsBoolean()
  readonly stream?: boolean;

  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(1)
  readonly temperature?: number;

  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(1)
  readonly top_p?: number;

  @Describe('The answer returns it. At most 16 texts of at most 512 characters, with keys of at most 64 characters.')
  @IsOptional()
  @IsObject()
  @ValidateWith(findMetadataViolations)
  readonly metadata?: Readonly<Record<string, string>>;

  @Describe('Identifies the visitor.')
  @IsOptional()
  @IsString()
  @MaxLength(255)
  readonly safety_identifier?: string;

  @Describe('Identifies the visitor, if `safety_identifier` is absent.')
  @IsOptional()
  @IsString()
  @MaxLength(255)
  readonly user?: string;
}

/** Refuses stream options for a response that is not streamed. @throws Problem 400 */
export function requireStreamForOptions({
  stream,
  stream_options: options,
}: AnswerParameters & { readonly stream_options?: StreamOptions }): void {
  if (options !== undefined && stream !== true)
    throw createFieldProblem('stream_options', 'must be absent unless stream is true');
}
