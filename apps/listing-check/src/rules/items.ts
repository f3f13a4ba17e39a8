import { validateItem } from '@quarry/item-listing';
import { createRule, type Rule, createFailedVerdict, PASSED, createSkippedVerdict } from '../rule.js';

const MAX_SHOWN_PROBLEMS = 5;

export const itemRules: readonly Rule[] = [
  createRule('every item is valid', (_endpoint, { items, request }) => {
    if (items.length === 0) return createSkippedVerdict('the listing is empty');
    const problems = items.map(validateItem).flatMap((reading) => (reading.valid ? [] : [reading.problem]));
    if (problems.length === 0) return PASSED;
    const more = problems.length > MAX_SHOWN_PROBLEMS ? [`and ${problems.length - MAX_SHOWN_PROBLEMS} more`] : [];
    return createFailedVerdict(
      [
        `${problems.length} of ${items.length} items are invalid:`,
        ...problems.slice(0, MAX_SHOWN_PROBLEMS),
        ...more,
      ].join('\n'),
      request,
    );
  }),
  createRule('every item has a unique id', (_endpoint, { items, count, request }) => {
    if (items.length === 0) return createSkippedVerdict('the listing is empty');
    const note = count.describeSharedIds();
    return note === undefined ? PASSED : createFailedVerdict(note.message, request);
  }),
];
