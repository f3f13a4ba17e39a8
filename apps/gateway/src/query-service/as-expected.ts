/**
 * What comes with each token and each search is looked at by hand first: to validate its shape takes as long as all the rest of
 * the hop. What does not pass is validated, which says what is wrong with it, or fills in what it may leave out.
 */

import type { FoundFragment } from '@quarry/contracts';

export function isDelta(value: unknown): value is { readonly text: string } {
  return isObject(value) && typeof value['text'] === 'string';
}

export function isSearch(
  value: unknown,
): value is { readonly fragments: readonly FoundFragment[]; readonly notes: readonly string[] } {
  return isObject(value) && isListOf(value['fragments'], isFragment) && isListOf(value['notes'], isString);
}

function isFragment(value: unknown): value is FoundFragment {
  if (!isObject(value)) return false;
  const { fragmentId, datasourceId, customId, source, page, text, score } = value;
  return (
    [fragmentId, datasourceId, text].every(isString) &&
    [customId, source].every((each) => each === null || isString(each)) &&
    (page === null || Number.isInteger(page)) &&
    Number.isFinite(score)
  );
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
