import type { ExplainedQueryResponse } from '@quarry/client';
import type { ReactNode } from 'react';
import { ErrorNotice } from '../../components/error-notice.js';
import { Skeleton } from '../../components/skeleton.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import type { RankChange } from './compare-ranks.js';
import { DroppedResults } from './dropped-results.js';
import { ExplanationPanel } from './explanation-panel.js';
import { playgroundMessages } from './messages.js';
import './results.css';
import { ResultCard } from './result-card.js';
import type { DatastoreOutcome } from './use-explained-queries.js';

export interface SideResultsProps {
  readonly side: 'A' | 'B';
  readonly outcomes: readonly DatastoreOutcome[];
  /** The names of the datastores, keyed by id. */
  readonly names: ReadonlyMap<string, string>;
  /**
   * The rank changes of the results of this side, keyed by the id of the datastore. Undefined if there is only one side,
   * or results are still missing.
   */
  readonly rankChanges: ReadonlyMap<string, readonly RankChange[]> | undefined;
}

/**
 * Shows the results of one side separately for each datastore, because scores are comparable only within a datastore.
 */
export function SideResults({ side, outcomes, names, rankChanges }: SideResultsProps): ReactNode {
  const messages = useMessages(playgroundMessages);
  return (
    <section aria-label={messages.side(side)} className="side-results">
      {outcomes.map((outcome) => (
        <div className="datastore-results" key={outcome.datastoreId}>
          <h2>
            <span className={`side-mark side-mark-${side.toLowerCase()}`}>{side}</span>
            <span className="truncate">{names.get(outcome.datastoreId) ?? outcome.datastoreId}</span>
            {outcome.response !== undefined && <ResultCount response={outcome.response} />}
          </h2>
          <DatastoreResults outcome={outcome} rankChanges={rankChanges?.get(outcome.datastoreId)} side={side} />
        </div>
      ))}
    </section>
  );
}

function ResultCount({ response }: { readonly response: ExplainedQueryResponse }): ReactNode {
  const messages = useMessages(playgroundMessages);
  const formats = useFormats();
  const total = response.explanation.stages.reduce((sum, { ms }) => sum + ms, 0);
  const forms = { one: messages.resultsOne, other: messages.resultsOther };
  return (
    <span className="result-count numbers">
      {formats.plural(response.results.length, forms)} {messages.total(formats.duration(total))}
    </span>
  );
}

interface DatastoreResultsProps extends Pick<SideResultsProps, 'side'> {
  readonly outcome: DatastoreOutcome;
  readonly rankChanges: readonly RankChange[] | undefined;
}

/** Shows the results of one datastore, or its error or loading state. */
function DatastoreResults({ outcome, side, rankChanges }: DatastoreResultsProps): ReactNode {
  const messages = useMessages(playgroundMessages);
  const { response, error, isFetching, retry } = outcome;
  if (error !== null && !isFetching) {
    return <ErrorNotice error={error} onRetry={retry} title={messages.searchFailed} />;
  }
  if (response === undefined) return <Skeleton lines={8} />;
  const { results, explanation } = response;
  return (
    <>
      <ExplanationPanel explanation={explanation} />
      {results.length === 0 && (
        <div className="no-results">
          <h3>{messages.noResultsTitle}</h3>
          <p className="muted">{messages.noResultsText}</p>
        </div>
      )}
      <ol className="results">
        {results.map((result, at) => {
          const scores = explanation.results[at];
          return scores === undefined ? null : (
            <ResultCard
              change={rankChanges?.[at]}
              key={scores.fragment_id}
              otherSide={side === 'A' ? 'B' : 'A'}
              rank={at + 1}
              result={result}
              scores={scores}
              side={side}
              terms={explanation.query.terms}
            />
          );
        })}
      </ol>
      <DroppedResults explanation={explanation} />
    </>
  );
}
