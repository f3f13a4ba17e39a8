import { ValidateBy } from '@quarry/validation';
import { findItemIdProblem, isItemDate, parseItemId } from './listed-item.js';

export function IsItemId(): PropertyDecorator {
  return ValidateBy({
    name: 'isItemId',
    validator: {
      validate: (value: unknown) => findItemIdProblem(value) === undefined,
      defaultMessage: (found) => findItemIdProblem(found?.value) ?? 'must be an id',
    },
  });
}

export function IsItemDate(): PropertyDecorator {
  return ValidateBy({
    name: 'isItemDate',
    validator: {
      validate: isItemDate,
      defaultMessage: () => 'must be a date in UTC with milliseconds, of the form 2026-01-31T23:59:59.999Z',
    },
  });
}

/**
 * Rejects a list that contains arrays. Nested validation would accept such a list, because it validates the elements of
 * the inner arrays.
 */
export function AreObjects(): PropertyDecorator {
  return ValidateBy({
    name: 'areObjects',
    validator: {
      validate: (value: unknown) => Array.isArray(value) && !value.some(Array.isArray),
      defaultMessage: () => 'must be an array of objects',
    },
  });
}

export function HaveUniqueIds(): PropertyDecorator {
  return ValidateBy({
    name: 'haveUniqueIds',
    validator: {
      validate: (value: unknown) => findRepeatedId(value) === undefined,
      defaultMessage: (found) => `must have unique ids, but ${findRepeatedId(found?.value) ?? 'an id'} occurs twice`,
    },
  });
}

/** Returns the first repeated id of a list of objects, as text. Returns undefined if all ids are different. */
function findRepeatedId(objects: unknown): string | undefined {
  if (!Array.isArray(objects)) return undefined;
  const seen = new Set<string>();
  for (const object of objects as readonly unknown[]) {
    const id = typeof object === 'object' && object !== null && 'id' in object ? parseItemId(object.id) : undefined;
    if (id === undefined) continue;
    if (seen.has(id)) return id;
    seen.add(id);
  }
  return undefined;
}
