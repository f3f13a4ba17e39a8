import type { ResponseRow } from '../../../conversations/response-repository.js';
import { createFieldProblem } from '../../../checks/field-problem.js';
import type { PageQuery } from '../protocol/list-window.js';
import type { InputItemList } from './response-shapes.js';
import { formatResourceId } from '../protocol/resource-ids.js';

const DEFAULT_LIMIT = 20;

/** Builds a page of the input items of a response. @throws Problem 400 for an `after` that is not the id of an item */
export function buildInputItemsPage(
  { answer, response }: Pick<ResponseRow, 'answer' | 'response'>,
  { limit = DEFAULT_LIMIT, order = 'desc', after }: PageQuery,
): InputItemList {
  const items = response.input.map(({ role, text }, at) => {
    const type = role === 'assistant' ? 'output_text' : 'input_text';
    const part = { type, text, ...(role === 'assistant' ? { annotations: [], logprobs: [] } : {}) };
    const id = `${formatResourceId('message', answer.id)}_${at}`;
    return { type: 'message', id, role, status: 'completed', content: [part] };
  });
  const ordered = order === 'asc' ? items : items.toReversed();
  const start = ordered.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0)
    throw createFieldProblem('after', `must be the id of an item, found ${JSON.stringify(after)}`);
  const data = ordered.slice(start, start + limit);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: start + limit < ordered.length,
  };
}
