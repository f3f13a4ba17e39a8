import type { FragmentResponse, SplittingSettings } from '@quarry/contracts';
import { getMaxOverlapTokens } from '@quarry/text-analysis/overlap';
import { measureTokenOverlap } from '@quarry/text-analysis/tokens';
import { Describe, IsOptional, IsString, OrNull } from '@quarry/validation';
import type { FoundDatasource } from '../../datasources/datasource-repository.js';
import { getSingleDocumentKeys } from '../../datasources/document-view.js';
import { requireDatastore } from '../../datastores/datastore-repository.js';
import { formatFragmentCursor, parseFragmentCursor } from '../../fragments/fragment-position.js';
import { readDatasourceFragments } from '../../fragments/read-datasource-fragments.js';
import { buildOriginalAddress, findDocumentUrl } from '../../source-addresses/source-address.js';
import { requireToolDatasource } from '../tool-datastores.js';
import { BudgetedInput, createTokenBudget, type TokenBudget } from '../token-budget.js';
import { defineTool, type Tool, type ToolCall } from '../tool.js';

class FetchInput extends BudgetedInput {
  @IsString()
  readonly id: string;

  @IsOptional()
  @IsString()
  readonly documentKey?: string | null;

  @IsOptional()
  @IsString()
  readonly cursor?: string | null;
}

class FetchOutput {
  @IsString()
  readonly id: string;

  @IsString()
  readonly title: string;

  @IsString()
  readonly url: string;

  @IsString()
  readonly text: string;

  @Describe('Pass it as cursor for more text.')
  @OrNull()
  @IsString()
  readonly nextCursor: string | null;
}

/** Returns the text of a datasource or of one of its documents, as it is indexed for searches. */
export const FETCH_TOOL: Tool = defineTool({
  name: 'fetch',
  description: 'Reads the text of a result of search, or of one of its documents.',
  operations: ['listFragments'],
  input: FetchInput,
  output: FetchOutput,
  isReadOnly: true,
  run: async (call, { id, documentKey, cursor, maxTokens }) => {
    const found = await requireToolDatasource(call, id);
    const { datasource } = found;
    const budget = createTokenBudget(maxTokens);
    const url = findDatasourceUrl(datasource) ?? buildOriginalAddress(call.apiUrl, datasource.id);
    budget.trySubtract(url);
    const title = budget.fitText(datasource.name, TEXT_TOKENS);
    const position = { documentKey: documentKey ?? undefined, ...parseFetchCursor(cursor ?? undefined) };
    return { id: datasource.id, title, url, ...(await readFragmentTexts(call, found, position, budget)) };
  },
});

/** Returns the URL of a datasource, or null if it has none, such as an uploaded file. */
function findDatasourceUrl(datasource: FoundDatasource['datasource']): string | null {
  const { source_url: page, sitemap } = datasource.config;
  const address = page ?? sitemap;
  return findDocumentUrl(datasource.source ?? (typeof address === 'string' ? address : null), datasource);
}

/** Number of tokens that the title leaves for the text and the cursor. */
const TEXT_TOKENS = 80;
/** Maximum number of fragments of the datasource that are read in one step. */
const PAGE_SIZE = 50;

interface ReadPosition {
  readonly documentKey: string | undefined;
  /** The cursor of the first fragment. Undefined: the first fragment of the datasource. */
  readonly fragmentCursor: string | undefined;
  /** The number of characters of this fragment that were already read. */
  readonly offset: number;
}

/**
 * Reads the texts of consecutive fragments, beginning at a position, until a fragment does not fit into the budget. If
 * not even the first fragment fits, its text is shortened to at least one character.
 */
async function readFragmentTexts(
  call: ToolCall,
  found: FoundDatasource,
  { documentKey, fragmentCursor, offset }: ReadPosition,
  budget: TokenBudget,
): Promise<Pick<FetchOutput, 'text' | 'nextCursor'>> {
  const { gateway, caller, signal } = call;
  const { splitting } = await requireDatastore(gateway.db, caller, found.datasource.datastoreId);
  const page = { documentKey, limit: PAGE_SIZE, first: parseFragmentCursor(fragmentCursor) };
  let text = '';
  let previous: FragmentResponse | undefined;
  for await (const fragment of readDatasourceFragments(gateway, caller, { found, page, signal })) {
    const isContinued = formatFetchCursor(found, fragment) === fragmentCursor;
    const start = isContinued ? offset : measureRepeatedStart(previous, fragment, splitting);
    if (previous === undefined) budget.trySubtract(formatFetchCursor(found, fragment, fragment.text.length));
    previous = fragment;
    const added = fragment.text.slice(start);
    if (added === '') continue;
    if (!budget.trySubtract(added)) {
      const fitting = text === '' ? budget.fitText(added) || getFirstCharacter(added) : '';
      return { text: text + fitting, nextCursor: formatFetchCursor(found, fragment, start + fitting.length) };
    }
    text += text === '' ? added : `\n\n${added}`;
  }
  return { text, nextCursor: null };
}

/**
 * Formats the cursor of a fragment. If some of its characters were already read, their number follows after a point,
 * which no cursor of a list of fragments contains.
 */
function formatFetchCursor(found: FoundDatasource, { documentKey, ordinal }: FragmentResponse, offset = 0): string {
  const stored = getSingleDocumentKeys(found)?.stored ?? documentKey;
  const cursor = formatFragmentCursor({ documentKey: stored, ordinal });
  return offset === 0 ? cursor : `${cursor}.${String(offset)}`;
}

function parseFetchCursor(cursor: string | undefined): Omit<ReadPosition, 'documentKey'> {
  const [, fragmentCursor = cursor, offset = '0'] = /^(.+)\.(\d{1,9})$/.exec(cursor ?? '') ?? [];
  return { fragmentCursor, offset: Number(offset) };
}

/** Returns the length of the text at the start of a fragment that repeats the end of the previous fragment. */
function measureRepeatedStart(
  previous: FragmentResponse | undefined,
  { documentKey, text }: FragmentResponse,
  splitting: SplittingSettings,
): number {
  if (previous?.documentKey !== documentKey) return 0;
  const overlap = measureTokenOverlap(previous.text, text, getMaxOverlapTokens(splitting));
  return overlap === 0 ? 0 : text.length - text.slice(overlap).trimStart().length;
}

function getFirstCharacter(text: string): string {
  return /^./su.exec(text)?.[0] ?? '';
}
