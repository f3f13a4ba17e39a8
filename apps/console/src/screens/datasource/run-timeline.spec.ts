import type { Run } from '@quarry/client';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { LanguageProvider } from '../../language/language-context.js';
import { RunCounters } from './run-timeline.js';

const NONE = { discovered: 0, fetched: 0, indexed: 0, unchanged: 0, removed: 0, failed: 0, skipped: 0 };

/** Renders the counters of a run, and returns the shown counters as texts of the form `name value`. */
function renderCounters(counters: Partial<Run['counters']>): readonly string[] {
  const element = createElement(RunCounters, { counters: { ...NONE, ...counters } });
  const markup = renderToStaticMarkup(createElement(LanguageProvider, null, element));
  return [...markup.matchAll(/<dt>([^<]+)<\/dt><dd[^>]*>([^<]+)/g)].map(([, name, value]) => `${name} ${value}`);
}

describe('the counters of a run', () => {
  it('for a run with a single document, RunCounters shows only the counter of its outcome', () => {
    expect(renderCounters({ discovered: 1, fetched: 1, failed: 1 })).toEqual(['Failed 1']);
  });

  it('for a run with several documents, RunCounters also shows the numbers of found and requested documents', () => {
    expect(renderCounters({ discovered: 9, fetched: 8, indexed: 7, failed: 1 })).toEqual([
      'Found 9',
      'Requested 8',
      'Indexed 7',
      'Failed 1',
    ]);
  });
});
