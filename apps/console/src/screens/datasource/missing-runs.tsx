import type { Run } from '@quarry/client';
import type { ReactNode } from 'react';
import type { Pages } from '../../api/use-pages.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { RetryIcon } from '../../components/icons.js';
import { useMessages } from '../../language/language-context.js';
import { datasourceMessages } from './messages.js';

/** Shows that a datasource has no runs, or why its runs could not be loaded. */
export function MissingRuns({ runs: { error, refetch } }: { readonly runs: Pages<Run> }): ReactNode {
  const messages = useMessages(datasourceMessages);
  if (error !== null) return <ErrorNotice error={error} onRetry={refetch} />;
  return (
    <EmptyState icon={RetryIcon} title={messages.noRuns}>
      {messages.noRunsText}
    </EmptyState>
  );
}
