import type { Datastore } from '@quarry/client';
import { useState, type ReactNode } from 'react';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { DatastoreIcon, PlaygroundIcon } from '../../components/icons.js';
import { Skeleton } from '../../components/skeleton.js';
import { useMessages } from '../../language/language-context.js';
import { PageHeader } from '../../page/page-header.js';
import { ScreenLink } from '../../routing/screen-link.js';
import { useAllDatastores } from '../datastores/use-datastores.js';
import { ResultComparison } from './result-comparison.js';
import { HistoryMenu } from './history-menu.js';
import { playgroundMessages } from './messages.js';
import './playground.css';
import { QueryForm } from './query-form.js';
import {
  addToQueryHistory,
  clearQueryHistory,
  readQueryHistory,
  type PastQuery,
  selectQueriesOfDatastores,
} from './query-history.js';
import { formatSideSettings, type SideSettings } from './side-settings.js';
import { usePlaygroundAddress, type PlaygroundQuery } from './use-playground-address.js';

/**
 * Shows the playground: a form that runs a test query with one or two sets of settings, and the results with
 * explanations.
 */
export function PlaygroundScreen(): ReactNode {
  const messages = useMessages(playgroundMessages);
  const { items: datastores, isPending, error, refetch } = useAllDatastores();
  return (
    <>
      {datastores.length > 0 && <Playground datastores={datastores} />}
      {isPending && <LoadingPlayground />}
      {!isPending && datastores.length === 0 && <PageHeader title={messages.title} />}
      {error !== null && (
        <div className="page">
          <ErrorNotice error={error} onRetry={refetch} title={messages.loadFailed} />
        </div>
      )}
      {!isPending && error === null && datastores.length === 0 && (
        <EmptyState
          actions={
            <ScreenLink className="button button-primary" to="datastores">
              {messages.openDatastores}
            </ScreenLink>
          }
          icon={DatastoreIcon}
          title={messages.noDatastoresTitle}
        >
          {messages.noDatastoresText}
        </EmptyState>
      )}
    </>
  );
}

function LoadingPlayground(): ReactNode {
  return (
    <>
      <PageHeader title={useMessages(playgroundMessages).title} />
      <div className="page">
        <Skeleton lines={5} />
      </div>
    </>
  );
}

function Playground({ datastores }: { readonly datastores: readonly Datastore[] }): ReactNode {
  const messages = useMessages(playgroundMessages);
  const { current, run, isPending } = usePlaygroundAddress(datastores);
  const [history, setHistory] = useState(readQueryHistory);
  const startQuery = (next: PlaygroundQuery): void => {
    setHistory(addToQueryHistory(history, createPastQuery(next)));
    run(next);
  };
  const visibleHistory = selectQueriesOfDatastores(history, new Set(datastores.map(({ id }) => id)));
  if (isPending) return <LoadingPlayground />;
  return (
    <>
      <PageHeader
        actions={<HistoryMenu history={visibleHistory} onClear={() => setHistory(clearQueryHistory())} onOpen={run} />}
        title={messages.title}
      />
      <div className="page page-full playground">
        <QueryForm datastores={datastores} initial={current} onRun={startQuery} />
        {current.query === '' ? (
          <EmptyState icon={PlaygroundIcon} title={messages.startTitle}>
            {messages.startText}
          </EmptyState>
        ) : (
          <ResultComparison datastores={datastores} query={current} />
        )}
      </div>
    </>
  );
}

function createPastQuery({ query, a, b }: PlaygroundQuery): PastQuery {
  const formatSide = (settings: SideSettings): string => formatSideSettings(settings);
  return { query, a: formatSide(a), b: b === undefined ? undefined : formatSide(b) };
}
