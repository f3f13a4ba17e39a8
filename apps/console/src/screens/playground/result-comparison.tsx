import type { Datastore } from '@quarry/client';
import type { ReactNode } from 'react';
import { useFormats, useMessages } from '../../language/language-context.js';
import { compareRanks } from './compare-ranks.js';
import { playgroundMessages } from './messages.js';
import { SideResults } from './side-results.js';
import { useExplainedQueries, type DatastoreOutcome } from './use-explained-queries.js';
import type { PlaygroundQuery } from './use-playground-address.js';

interface ResultComparisonProps {
  readonly query: PlaygroundQuery;
  readonly datastores: readonly Datastore[];
}

/** Runs a query and shows its results. With two sets of settings, shows the results of both side by side. */
export function ResultComparison({ query: { query, a, b }, datastores }: ResultComparisonProps): ReactNode {
  const outcomesA = useExplainedQueries(query, a);
  const outcomesB = useExplainedQueries(query, b);
  const idsA = listResultIds(outcomesA);
  const idsB = listResultIds(outcomesB);
  const isComparing = b !== undefined;
  const isComplete = [...outcomesA, ...outcomesB].every(({ response }) => response !== undefined);
  const names = new Map(datastores.map(({ id, name }) => [id, name]));
  return (
    <div aria-live="polite" className="comparison">
      {isComparing && isComplete && <ComparisonSummary idsA={idsA} idsB={idsB} />}
      <div className="sides">
        <SideResults
          names={names}
          outcomes={outcomesA}
          rankChanges={isComparing && isComplete ? compareRanks(idsA, idsB) : undefined}
          side="A"
        />
        {isComparing && (
          <SideResults
            names={names}
            outcomes={outcomesB}
            rankChanges={isComplete ? compareRanks(idsB, idsA) : undefined}
            side="B"
          />
        )}
      </div>
    </div>
  );
}

function listResultIds(outcomes: readonly DatastoreOutcome[]): readonly string[] {
  return outcomes.flatMap(({ response }) => response?.explanation.results.map(({ fragment_id: id }) => id) ?? []);
}

interface ComparisonSummaryProps {
  readonly idsA: readonly string[];
  readonly idsB: readonly string[];
}

function ComparisonSummary({ idsA, idsB }: ComparisonSummaryProps): ReactNode {
  const messages = useMessages(playgroundMessages);
  const formats = useFormats();
  const count = (ids: readonly string[], other: readonly string[], kind: 'moved' | 'only'): number =>
    compareRanks(ids, other).filter((change) => change.kind === kind).length;
  const onlyA = count(idsA, idsB, 'only');
  const onlyB = count(idsB, idsA, 'only');
  const moved = count(idsA, idsB, 'moved');
  if (onlyA + onlyB + moved === 0) return <p className="comparison-summary">{messages.summarySame}</p>;
  const numbers = [idsA.length - onlyA, moved, onlyA, onlyB].map((value) => formats.number(value));
  const [shared = '', movedText = '', onlyAText = '', onlyBText = ''] = numbers;
  return <p className="comparison-summary numbers">{messages.summary(shared, movedText, onlyAText, onlyBText)}</p>;
}
