import { MAX_TOP_K } from '@quarry/contracts';
import {
  ArrayMaxSize,
  Describe,
  IsArray,
  IsBoolean,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsOptional,
  IsString,
  Max,
  Min,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { requireValidQuestionText } from '../../checks/require-valid-question-text.js';
import { searchDatastores } from '../../searching/search-datastore.js';
import { addSourceAddress } from '../../source-addresses/source-address.js';
import { withQueryReservation } from '../../usage/with-query-reservation.js';
import { findDatastoresToSearch, MAX_DATASTORES } from '../tool-datastores.js';
import { BudgetedInput, createTokenBudget } from '../token-budget.js';
import { defineTool, type Tool } from '../tool.js';

class SearchInput extends BudgetedInput {
  @IsString()
  @IsNotEmpty()
  readonly query: string;

  @Describe('Default: all.')
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_DATASTORES)
  @IsString({ each: true })
  readonly datastoreIds?: readonly string[] | null;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_TOP_K)
  readonly topK?: number | null;
}

class SearchResult {
  @IsString()
  readonly id: string;

  @IsOptional()
  @IsString()
  readonly documentKey?: string;

  @IsString()
  readonly title: string;

  @IsString()
  readonly url: string;

  @IsOptional()
  @IsInt()
  readonly page?: number;

  @IsNumber()
  readonly score: number;

  @IsString()
  readonly text: string;
}

class SearchOutput {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => SearchResult)
  readonly results: readonly SearchResult[];

  @IsBoolean()
  readonly truncated: boolean;
}

/** Searches the datastores that the API key and the endpoint's agent permit. One call counts as one datastore query. */
export const SEARCH_TOOL: Tool = defineTool({
  name: 'search',
  description: 'Finds passages in the datastores, best first. Read more of a document with fetch.',
  operations: ['queryDatastore'],
  input: SearchInput,
  output: SearchOutput,
  isReadOnly: true,
  run: async (call, { query, datastoreIds, topK, maxTokens }) => {
    const { gateway, caller, apiUrl, signal, log } = call;
    requireValidQuestionText(query, gateway.limits.queryCharacters);
    const datastores = await findDatastoresToSearch(call, datastoreIds ?? undefined);
    const { organizationId } = caller;
    const reservation = { organizationId, kind: 'datastoreQueries', askedAt: gateway.clock() } as const;
    const client = { hasDisconnected: () => signal.aborted };
    signal.throwIfAborted();
    const { results } = await withQueryReservation(gateway, { reservation, client, log }, async () =>
      searchDatastores(gateway, { organizationId, datastores }, { query, ...(topK ? { topK } : {}) }, signal),
    );
    const shown = results.map((result) => {
      const { datasource_id: id, datasource_name: title, document_key: documentKey, page, score, text } = result;
      const { source: url } = addSourceAddress(apiUrl, result);
      return {
        id,
        ...(documentKey === null ? {} : { documentKey }),
        ...{ title, url },
        ...(page === null ? {} : { page }),
        ...{ score, text },
      };
    });
    const { items, truncated } = createTokenBudget(maxTokens).fitItems(shown);
    return { results: items, truncated };
  },
});
