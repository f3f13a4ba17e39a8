import type { Run } from '@quarry/client';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { Pages } from '../../api/use-pages.js';
import { LanguageProvider } from '../../language/language-context.js';
import { datasourceMessages } from './messages.js';
import { RunsTab } from './runs-tab.js';

const EMPTY: Pages<Run> = {
  items: [],
  isPending: false,
  error: null,
  refetch: () => undefined,
  more: { hasMore: false, isLoading: false, error: null, onLoad: () => undefined },
};

function renderRuns(runs: Pages<Run>): string {
  return renderToStaticMarkup(createElement(LanguageProvider, null, createElement(RunsTab, { runs })));
}

it('RunsTab shows that a datasource has no runs only if the list of runs was loaded', () => {
  expect(renderRuns(EMPTY)).toContain(datasourceMessages.en.noRuns);
  const failed = renderRuns({ ...EMPTY, error: new Error('the server does not respond') });
  expect(failed).not.toContain(datasourceMessages.en.noRuns);
  expect(failed).toContain('role="alert"');
});
