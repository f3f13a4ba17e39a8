import type { Datastore } from '@quarry/client';
import type { ReactNode } from 'react';
import { useFormats, useMessages } from '../../language/language-context.js';
import { compareRanks, type RankedResults } from './compare-ranks.js';
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
  const rankedA = listRankedResults(outcomesA);
  const rankedB = listRankedResults(outcomesB);
  const isComparing = b !== undefined;
  const isComplete = [...outcomesA, ...outcomesB].every(({ response }) => response !== undefined);
  const names = new Map(datastores.map(({ id, name }) => [id, name]));
  return (
    <div aria-live="polite" className="comparison">
      {isComparing && isComplete && <ComparisonSummary rankedA={rankedA} rankedB={rankedB} />}
      <div className="sides">
        <SideResults
          names={names}
          outcomes={outcomesA}
          rankChanges={isComparing && isComplete ? compareRanks(rankedA, rankedB) : undefined}
          side="A"
        />
        {isComparing && (
          <SideResults
            names={names}
            outcomes={outcomesB}
            rankChanges={isComplete ? compareRanks(rankedB, rankedA) : undefined}
            side="B"
          />
        )}
      </div>
    </div>
  );
}

function listRankedResults(outcomes: readonly DatastoreOutcome[]): RankedResults {
  return new Map(
    outcomes.map(({ datastoreId, response }) => [
      datastoreId,
      response?.explanation.results.map(({ fragment_id: id }) => id) ?? [],
    ]),
  );
}

interface ComparisonSummaryProps {
  readonly rankedA: RankedResults;
  readonly rankedB: RankedResults;
}

function ComparisonSummary({ rankedA, rankedB }: ComparisonSummaryProps): ReactNode {
  const messages = useMessages(playgroundMessages);
  const formats = useFormats();
  const changesA = [...compareRanks(rankedA, rankedB).values()].flat();
  const changesB = [...compareRanks(rankedB, rankedA).values()].flat();
  const onlyA = changesA.filter(({ kind }) => kind === 'only').length;
  const onlyB = changesB.filter(({ kind }) => kind === 'only').length;
  const moved = changesA.filter(({ kind }) => kind === 'moved').length;
  if (onlyA + onlyB + moved === 0) return <p className="comparison-summary">{messages.summarySame}</p>;
  const numbers = [changesA.length - onlyA, moved, onlyA, onlyB].map((value) => formats.number(value));
  const [shared = '', movedText = '', onlyAText = '', onlyBText = ''] = numbers;
  return <p className="comparison-summary numbers">{messages.summary(shared, movedText, onlyAText, onlyBText)}</p>;
}
