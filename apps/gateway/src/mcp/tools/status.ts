import { Describe, IsOptional, IsString } from '@quarry/validation';
import { requireToolDatasource } from '../tool-datastores.js';
import { BudgetedInput, createTokenBudget } from '../token-budget.js';
import { defineTool, type Tool } from '../tool.js';

class StatusInput extends BudgetedInput {
  @IsString()
  readonly id: string;
}

class StatusOutput {
  @IsString()
  readonly id: string;

  @IsString()
  readonly title: string;

  @IsString()
  readonly type: string;

  @Describe('synched: searchable.')
  @IsString()
  readonly status: string;

  @IsOptional()
  @IsString()
  readonly error?: string;
}

/** Returns the status of a datasource. The status shows whether searches find the content. */
export const STATUS_TOOL: Tool = defineTool({
  name: 'status',
  description: 'Returns the indexing status of an id of search or add_text.',
  operations: ['getDatasource'],
  input: StatusInput,
  output: StatusOutput,
  isReadOnly: true,
  run: async (call, { id, maxTokens }) => {
    const { datasource } = await requireToolDatasource(call, id);
    const { name, type, status, errorCode, errorMessage } = datasource;
    const budget = createTokenBudget(maxTokens);
    const error = errorCode === null ? {} : { error: budget.fitText(`${errorCode}: ${errorMessage ?? ''}`) };
    return { id: datasource.id, title: budget.fitText(name), type, status, ...error };
  },
});
