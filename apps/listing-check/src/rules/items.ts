import { readItem } from '@quarry/item-listing';
import { inOrder } from '../in-order.js';
import { rule, type Rule } from '../rule.js';
import { broken, KEPT, untold } from '../rule-verdict.js';

const SHOWN = 5;

export const itemRules: readonly Rule[] = [
  rule('every item keeps the rules of its fields', (_endpoint, { items, request }) => {
    if (items.length === 0) return untold('the listing is empty');
    const problems = items.map(readItem).flatMap((reading) => (reading.valid ? [] : [reading.problem]));
    if (problems.length === 0) return KEPT;
    const more = problems.length > SHOWN ? [`and ${problems.length - SHOWN} more`] : [];
    return broken(
      [`${problems.length} of ${items.length} items do not:`, ...problems.slice(0, SHOWN), ...more].join('\n'),
      request,
    );
  }),
  rule('every item has an id of its own', async (endpoint, { items }) => {
    if (items.length === 0) return untold('the listing is empty');
    const answer = await endpoint.ask(...inOrder({ take: 100 }));
    const keys = answer.items.map(({ documentKey }) => documentKey);
    const twice = keys.find((key, index) => keys.indexOf(key) !== index);
    return twice === undefined ? KEPT : broken(`${twice} twice`, answer.request);
  }),
];
