import {
  ArrayMaxSize,
  ArrayMinSize,
  Describe,
  IsArray,
  IsBoolean,
  IsInt,
  IsISO8601,
  IsNotEmpty,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { GenerationSettings } from './agent-query.js';
import { MAX_TOP_K, QueryFilters } from './datastore-query.js';
import { IsNotBlank } from './is-not-blank.js';

const MAX_NAME = 200;
const MAX_QUESTION_ID = 200;
const MAX_EXPECTED = 50;
const MAX_EXPECTED_CHARACTERS = 2_000;
const MAX_RELEVANT = 100;
const MAX_REFERENCE_CHARACTERS = 4_000;
const MAX_PROMPT_CHARACTERS = 32_000;

/** Default number of results per question of an evaluation of a datastore. */
export const DEFAULT_EVALUATION_TOP_K = 10;

/** Describes the passages that are relevant to a question. */
@Describe('Selects the relevant passages of a question, by exactly one of its fields.')
export class RelevantReference {
  @Describe('Name of the datasource, such as a file name. Letter case is ignored.')
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_REFERENCE_CHARACTERS)
  readonly document?: string | null;

  @Describe('`source` of the passage: the URL of its document, or of its original in this API.')
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_REFERENCE_CHARACTERS)
  readonly source?: string | null;

  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_REFERENCE_CHARACTERS)
  readonly datasourceId?: string | null;

  @Describe('Custom id of the document.')
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_REFERENCE_CHARACTERS)
  readonly customId?: string | null;

  @Describe('Text that the passage contains. Letter case and white space are ignored.')
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_REFERENCE_CHARACTERS)
  readonly text?: string | null;
}

/** Describes a question of a dataset. */
@Describe('A question of a dataset, with what is known about its answer.')
export class EvaluationQuestion {
  @Describe('Identifies the question within its dataset. Default: its position, starting at 1.')
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_QUESTION_ID)
  readonly id?: string | null;

  @IsString()
  @IsNotEmpty()
  readonly question: string;

  @Describe('Alternative texts. A right answer contains at least one of them.')
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_EXPECTED)
  @IsString({ each: true })
  @IsNotEmpty({ each: true })
  @MaxLength(MAX_EXPECTED_CHARACTERS, { each: true })
  readonly expected?: readonly string[] | null;

  @Describe('The relevant documents or passages.')
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_RELEVANT)
  @ValidateNested({ each: true })
  @Type(() => RelevantReference)
  readonly relevant?: readonly RelevantReference[] | null;

  @Describe('True if the datastore does not contain the answer. `expected` and `relevant` are then absent or empty.')
  @IsOptional()
  @IsBoolean()
  readonly unanswerable?: boolean | null;
}

/** Selects the rated answers from which a dataset is created. */
@Describe(
  'Makes the questions from answers with positive feedback, newest first. The documents that an answer cites are relevant. Repeated questions, and answers that cite no existing document, are left out.',
)
export class FeedbackSelection {
  @Describe('Selects the answers of this agent. Default: the answers of all agents.')
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  readonly agentId?: string | null;

  @Describe('Selects answers given at this time or later. Without an offset, the time is in UTC.')
  @IsOptional()
  @IsISO8601()
  readonly createdAfter?: string | null;

  @Describe('Selects answers given before this time.')
  @IsOptional()
  @IsISO8601()
  readonly createdBefore?: string | null;

  @Describe(
    'True: also selects questions that follow others in their conversation. Such questions are often incomplete without the conversation. Default: false.',
  )
  @IsOptional()
  @IsBoolean()
  readonly followUps?: boolean | null;
}

/** Describes a new dataset of questions. */
@Describe('A new dataset: exactly one of `questions`, `jsonl`, `csv` and `feedback`.')
export class NewEvaluationDataset {
  @IsOptional()
  @IsString()
  @IsNotBlank()
  @MaxLength(MAX_NAME)
  readonly name?: string | null;

  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ValidateNested({ each: true })
  @Type(() => EvaluationQuestion)
  readonly questions?: readonly EvaluationQuestion[] | null;

  @Describe('A text with one `EvaluationQuestion` as JSON per line.')
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  readonly jsonl?: string | null;

  @Describe(
    'A text in CSV (RFC 4180). Its header names the columns: `question`, and optionally `id`, `expected`, `document`, `source`, `datasourceId`, `customId`, `text`, and `unanswerable` (`true` or `false`). `|` separates several values of a cell.',
  )
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  readonly csv?: string | null;

  @IsOptional()
  @ValidateNested()
  @Type(() => FeedbackSelection)
  readonly feedback?: FeedbackSelection | null;
}

/** Describes the settings of the queries of an evaluation. */
@Describe(
  'Settings of each query. `topK` is for datastores. The settings of the model and the prompts are for agents, and override those of the agent.',
)
export class EvaluationSettings extends GenerationSettings {
  @Describe(`Number of results per question. Default: ${DEFAULT_EVALUATION_TOP_K}.`)
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_TOP_K)
  readonly topK?: number;

  @IsOptional()
  @ValidateNested()
  @Type(() => QueryFilters)
  readonly filters?: QueryFilters;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_PROMPT_CHARACTERS)
  readonly systemPrompt?: string;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_PROMPT_CHARACTERS)
  readonly userPrompt?: string;
}

/** Describes the body of `POST /evaluations`. */
export class CreateEvaluationRequest {
  @Describe('Default: the name of the dataset.')
  @IsOptional()
  @IsString()
  @IsNotBlank()
  @MaxLength(MAX_NAME)
  readonly name?: string | null;

  @Describe('A stored dataset: `datasetId` of an earlier evaluation. Required without `dataset`.')
  @IsOptional()
  @IsString()
  readonly datasetId?: string | null;

  @IsOptional()
  @ValidateNested()
  @Type(() => NewEvaluationDataset)
  readonly dataset?: NewEvaluationDataset | null;

  @Describe('The datastore to search. Required without `agentId`.')
  @IsOptional()
  @IsString()
  readonly datastoreId?: string | null;

  @Describe('The agent to ask. Required without `datastoreId`.')
  @IsOptional()
  @IsString()
  readonly agentId?: string | null;

  @IsOptional()
  @ValidateNested()
  @Type(() => EvaluationSettings)
  readonly settings?: EvaluationSettings | null;
}

/** Describes the query string of `GET /evaluations/{id}/compare`. */
export class CompareEvaluationsQuery {
  @Describe('Id of another evaluation of the same dataset.')
  @IsString()
  @IsNotEmpty()
  readonly with: string;
}
