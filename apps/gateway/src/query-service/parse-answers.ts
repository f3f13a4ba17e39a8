import {
  ANSWER_NOTES,
  PageRectangle,
  SEARCH_DROP_REASONS,
  DroppedCount,
  FragmentScores,
  SearchStages,
  type AnswerEvent,
  type AnswerUsage,
  type CitedFragment,
  type DroppedFragment,
  type FoundFragment,
  RETRIEVAL_NOTES,
  type SearchResponse,
  type SearchDropReason,
  type SearchTrace,
} from '@quarry/contracts';
import {
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Min,
  parse,
  Type,
  ValidateNested,
} from '@quarry/validation';

class Fragment implements FoundFragment {
  @IsString() readonly fragmentId: string;
  @IsString() readonly datasourceId: string;
  @IsOptional() @IsString() readonly documentKey: string | null = null;
  @IsOptional() @IsString() readonly customId: string | null = null;
  @IsOptional() @IsString() readonly source: string | null = null;
  @IsOptional() @IsInt() readonly page: number | null = null;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => PageRectangle)
  readonly rectangles: readonly PageRectangle[] = [];

  @IsString() readonly text: string;
  @IsNumber() readonly score: number;
}

class Search {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Fragment)
  readonly fragments: readonly Fragment[];

  @IsArray()
  @IsString({ each: true })
  readonly notes: readonly string[] = [];
}

class Dropped implements DroppedFragment {
  @ValidateNested()
  @Type(() => Fragment)
  readonly fragment: Fragment;

  @ValidateNested()
  @Type(() => FragmentScores)
  readonly scores: FragmentScores;

  @IsIn(SEARCH_DROP_REASONS)
  readonly reason: SearchDropReason;

  @IsOptional() @IsString() readonly duplicateOf: string | null = null;
}

class Trace extends SearchStages implements SearchTrace {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Dropped)
  readonly dropped: readonly Dropped[];

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => DroppedCount)
  readonly droppedCounts: readonly DroppedCount[];
}

/** Describes those parts of a search response that are present only if the request asks for them. */
class SearchExtras {
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @IsString({ each: true })
  readonly rewritten?: readonly string[];

  @IsOptional()
  @ValidateNested()
  @Type(() => Trace)
  readonly explanation?: Trace;
}

class Cited extends Fragment implements CitedFragment {
  @IsBoolean() readonly cited: boolean;
}

class Usage implements AnswerUsage {
  @IsInt() @Min(0) readonly promptTokens: number;
  @IsInt() @Min(0) readonly completionTokens: number;
}

class Delta {
  @IsString() readonly text: string;
}

class Completed {
  @IsString() readonly answer: string;
  @IsIn(['model', 'extractive']) readonly answeredBy: 'model' | 'extractive';

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Cited)
  readonly sources: readonly Cited[];

  @IsObject()
  @ValidateNested()
  @Type(() => Usage)
  readonly usage: Usage;

  @IsArray()
  @IsString({ each: true })
  readonly notes: readonly string[] = [];
}

class Failed {
  @IsString() readonly code: string;
  @IsString() readonly message: string;
  @IsOptional() @IsInt() @Min(0) readonly retryAfterSeconds?: number;
}

/** Parses a search response of the query service. @throws ValidationError if the response violates the contract */
export function parseSearchResponse(value: unknown): SearchResponse {
  const { fragments, notes } = isSearchResponse(value) ? value : parse(Search, value, 'ignore');
  const found = { fragments, notes: selectKnownNotes(RETRIEVAL_NOTES, notes) };
  if (!isObject(value) || (value['explanation'] === undefined && value['rewritten'] === undefined)) return found;
  const { rewritten, explanation } = parse(SearchExtras, value, 'ignore');
  return { ...found, ...(rewritten && { rewritten }), ...(explanation && { explanation }) };
}

/**
 * Parses one line of an answer stream as an event. Returns undefined for an unknown event type, which a newer service
 * may send.
 *
 * @throws SyntaxError or ValidationError if the line violates the contract
 */
export function parseAnswerEvent(line: string): AnswerEvent | undefined {
  const value: unknown = JSON.parse(line);
  const type: unknown = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
  switch (type) {
    case 'delta':
      return { type, text: isDelta(value) ? value.text : parse(Delta, value, 'ignore').text };
    case 'completed':
      return buildCompletedEvent(parse(Completed, value, 'ignore'));
    case 'failed':
      return buildFailedEvent(parse(Failed, value, 'ignore'));
    default:
      return undefined;
  }
}

function buildCompletedEvent({ answer, answeredBy, sources, usage, notes }: Completed): AnswerEvent {
  return { type: 'completed', answer, answeredBy, sources, usage, notes: selectKnownNotes(ANSWER_NOTES, notes) };
}

/** Returns the notes without those that this version does not support, which a newer query service may send. */
function selectKnownNotes<Note extends string>(known: readonly Note[], notes: readonly string[]): readonly Note[] {
  return known.filter((note) => notes.includes(note));
}

function buildFailedEvent({ code, message, retryAfterSeconds }: Failed): AnswerEvent {
  return { type: 'failed', code, message, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}

/**
 * Yields the lines of a stream of UTF-8 bytes, without empty lines. The last line needs no line break.
 *
 * @throws RangeError if a line has more than `maxCharacters`
 */
export async function* readLines(bytes: AsyncIterable<Uint8Array>, maxCharacters: number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.length > maxCharacters) throw createLineTooLongError(maxCharacters);
      if (line !== '') yield line;
    }
    if (rest.length > maxCharacters) throw createLineTooLongError(maxCharacters);
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}

function createLineTooLongError(maxCharacters: number): RangeError {
  return new RangeError(`expected a line of at most ${maxCharacters} characters, found a longer one`);
}

function isDelta(value: unknown): value is { readonly text: string } {
  return isObject(value) && typeof value['text'] === 'string';
}

function isSearchResponse(
  value: unknown,
): value is { readonly fragments: readonly FoundFragment[]; readonly notes: readonly string[] } {
  return isObject(value) && isListOf(value['fragments'], isFragment) && isListOf(value['notes'], isString);
}

function isFragment(value: unknown): value is FoundFragment {
  if (!isObject(value)) return false;
  const { fragmentId, datasourceId, documentKey, customId, source, page, rectangles, text, score } = value;
  return (
    [fragmentId, datasourceId, text].every(isString) &&
    [documentKey, customId, source].every((each) => each === null || isString(each)) &&
    (page === null || Number.isInteger(page)) &&
    isListOf(rectangles, isRectangle) &&
    Number.isFinite(score)
  );
}

function isRectangle(value: unknown): value is PageRectangle {
  if (!isObject(value)) return false;
  const { page, x, y, width, height } = value;
  return Number.isInteger(page) && [x, y, width, height].every(Number.isFinite);
}

function isListOf<T>(value: unknown, isElement: (element: unknown) => element is T): value is readonly T[] {
  return Array.isArray(value) && value.every(isElement);
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
