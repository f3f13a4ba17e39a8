import type { FragmentScores } from '@quarry/client';
import type { ReactNode } from 'react';
import { useFormats, useMessages } from '../../language/language-context.js';
import { playgroundMessages } from './messages.js';

const RANKINGS = ['lexical', 'dense', 'fused', 'reranked'] as const;

/** Shows the rank and score of a fragment in each stage of the search, in the order of the stages. */
export function StageScores({ scores }: { readonly scores: FragmentScores }): ReactNode {
  const messages = useMessages(playgroundMessages);
  const formats = useFormats();
  return (
    <dl className="stage-scores numbers">
      {RANKINGS.map((ranking) => {
        const found = scores[ranking];
        return (
          <div className={`stage-score stage-${ranking}`} key={ranking}>
            <dt>{messages[ranking]}</dt>
            {found === null ? (
              <dd className="muted" title={messages.notSeen}>
                –
              </dd>
            ) : (
              <dd>
                <span className="stage-rank">#{formats.number(found.rank)}</span>
                <span className="muted">{formatStageScore(found.score, formats.number)}</span>
              </dd>
            )}
          </div>
        );
      })}
    </dl>
  );
}

/** Formats a score with three significant digits, because the scores of different stages differ in magnitude. */
function formatStageScore(score: number, format: (value: number) => string): string {
  const rounded = Number(score.toPrecision(3));
  return Math.abs(rounded) < 0.01 && rounded !== 0 ? rounded.toExponential(1) : format(rounded);
}
