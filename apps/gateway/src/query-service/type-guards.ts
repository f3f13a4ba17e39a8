/**
 * Type guards for the values that arrive with each token and each search. Full validation is much slower. Values that fail a guard
 * are validated in full, which reports the error or adds omitted fields.
 */

import type { FoundFragment } from '@quarry/contracts';

export function isDelta(value: unknown): value is { readonly text: string } {
  return isObject(value) && typeof value['text'] === 'string';
}

export function isSearchResponse(
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
