import type { FragmentResponse, Page } from '@quarry/contracts';
import { measureOverlap } from '@quarry/text-analysis/overlap';
import { Describe, IsOptional, IsString, OrNull } from '@quarry/validation';
import type { FoundDatasource } from '../../datasources/datasource-repository.js';
import { getSingleDocumentKeys } from '../../datasources/document-view.js';
import { formatFragmentCursor, parseFragmentCursor } from '../../fragments/fragment-position.js';
import { listDatasourceFragments } from '../../fragments/list-datasource-fragments.js';
import { buildOriginalAddress } from '../../source-addresses/source-address.js';
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
    const title = budget.fitText(datasource.name);
    const url = datasource.source ?? buildOriginalAddress(call.apiUrl, datasource.id);
    budget.trySubtract(url);
    const position = { documentKey: documentKey ?? undefined, cursor: cursor ?? undefined };
    return { id: datasource.id, title, url, ...(await readFragmentTexts(call, found, position, budget)) };
  },
});

interface ReadPosition {
  readonly documentKey: string | undefined;
  readonly cursor: string | undefined;
}

/** Maximum number of fragments of the datasource that are read in one step. */
const PAGE_SIZE = 50;

/**
 * Reads the texts of consecutive fragments, beginning at a cursor, until a fragment does not fit into the budget. If
 * not even the first fragment fits, its text is shortened.
 */
async function readFragmentTexts(
  call: ToolCall,
  found: FoundDatasource,
  { documentKey, cursor }: ReadPosition,
  budget: TokenBudget,
): Promise<Pick<FetchOutput, 'text' | 'nextCursor'>> {
  let next: string | null = cursor ?? null;
  let text = '';
  let previousKey: string | undefined;
  do {
    const page: Page<FragmentResponse> = await listDatasourceFragments(call.gateway, call.caller, {
      found,
      page: { documentKey, limit: PAGE_SIZE, first: parseFragmentCursor(next ?? undefined) },
      signal: call.signal,
    });
    for (const fragment of page.items) {
      const isSameDocument = fragment.documentKey === previousKey;
      const added = isSameDocument ? removeOverlappingStart(text, fragment.text) : fragment.text;
      previousKey = fragment.documentKey;
      if (!budget.trySubtract(added)) {
        if (text !== '') return { text, nextCursor: formatFetchCursor(found, fragment, 0) };
        return { text: budget.fitText(added), nextCursor: formatFetchCursor(found, fragment, 1) };
      }
      text += text === '' ? added : `\n\n${added}`;
    }
    next = page.next_cursor;
  } while (next !== null);
  return { text, nextCursor: null };
}

/** Formats the cursor of a fragment (`offset` 0) or of the fragment after it (`offset` 1). */
function formatFetchCursor(found: FoundDatasource, { documentKey, ordinal }: FragmentResponse, offset: 0 | 1): string {
  const stored = getSingleDocumentKeys(found)?.stored ?? documentKey;
  return formatFragmentCursor({ documentKey: stored, ordinal: ordinal + offset });
}

/** Returns a fragment without the text at its start that repeats the end of the preceding text. */
function removeOverlappingStart(before: string, fragment: string): string {
  const overlap = measureOverlap(before, fragment);
  return overlap === 0 ? fragment : fragment.slice(overlap).trimStart();
}
