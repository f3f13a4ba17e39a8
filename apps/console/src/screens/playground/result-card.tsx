import type { DatastoreQueryResult, FragmentScores } from '@quarry/client';
import type { ReactNode } from 'react';
import { buildExcerpt } from '../../components/build-excerpt.js';
import { joinClasses } from '../../components/join-classes.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { ScreenLink } from '../../routing/screen-link.js';
import type { RankChange } from './compare-ranks.js';
import { markTerms } from './mark-terms.js';
import { playgroundMessages } from './messages.js';
import { StageScores } from './stage-scores.js';

interface ResultCardProps {
  readonly rank: number;
  readonly result: DatastoreQueryResult;
  readonly scores: FragmentScores;
  readonly terms: readonly string[];
  readonly side: 'A' | 'B';
  readonly otherSide: 'A' | 'B';
  /**
   * The comparison with the rank on the other side. Undefined if the playground shows only one side, or results are
   * still missing.
   */
  readonly change: RankChange | undefined;
}

/** Shows a result: its rank, its document, its text and its scores in each stage. */
export function ResultCard({ rank, result, scores, terms, side, otherSide, change }: ResultCardProps): ReactNode {
  const formats = useFormats();
  return (
    <li className={joinClasses('result', change !== undefined && change.kind !== 'same' && `result-${change.kind}`)}>
      <div className="result-head">
        <span className="result-rank numbers">{formats.number(rank)}</span>
        <PassageLink found={result} scores={scores} />
        {change !== undefined && <RankChangeMark change={change} otherSide={otherSide} side={side} />}
        <span className="result-score numbers">{formats.score(result.score)}</span>
      </div>
      <p className="result-text">
        <MarkedText terms={terms} text={result.text} />
      </p>
      <StageScores scores={scores} />
    </li>
  );
}

interface PassageLinkProps {
  readonly found: Pick<DatastoreQueryResult, 'datasource_id' | 'datasource_name' | 'page'>;
  readonly scores: FragmentScores;
}

/** Shows a link that opens the document of a fragment and selects the fragment in it. */
export function PassageLink({ found, scores }: PassageLinkProps): ReactNode {
  const messages = useMessages(playgroundMessages);
  const formats = useFormats();
  const { datasource_id: datasourceId, datasource_name: datasourceName, page } = found;
  const { document_key: documentKey, fragment_id: fragment } = scores;
  return (
    <span className="passage-link">
      <ScreenLink
        className="truncate"
        parameters={{ datasourceId, documentId: documentKey }}
        search={{ fragment }}
        title={messages.openPassage(documentKey)}
        to="document"
      >
        {documentKey}
      </ScreenLink>
      {datasourceName !== documentKey && <span className="muted truncate">{datasourceName}</span>}
      {page !== null && <span className="tag">{messages.page(formats.number(page))}</span>}
    </span>
  );
}

/** Shows the text of a fragment without blank lines and Markdown table syntax, and marks the terms of the query. */
export function MarkedText({ text, terms }: { readonly text: string; readonly terms: readonly string[] }): ReactNode {
  const excerpt = buildExcerpt(text).replaceAll(/\n{2,}/g, '\n');
  return markTerms(excerpt, terms).map((part, at) =>
    // The index serves as the key, because the parts have no id and their order never changes.
    part.isMarked ? <mark key={at}>{part.text}</mark> : part.text,
  );
}

interface RankChangeMarkProps {
  readonly change: RankChange;
  readonly side: 'A' | 'B';
  readonly otherSide: 'A' | 'B';
}

function RankChangeMark({ change, side, otherSide }: RankChangeMarkProps): ReactNode {
  const messages = useMessages(playgroundMessages);
  const formats = useFormats();
  if (change.kind === 'same') return <span className="visually-hidden">{messages.sameRank(otherSide)}</span>;
  if (change.kind === 'only') {
    return <span className={`change side-mark-${side.toLowerCase()}`}>{messages.onlyHere(side)}</span>;
  }
  const by = formats.number(Math.abs(change.by));
  const describe = change.by > 0 ? messages.movedUp : messages.movedDown;
  const text = describe(by, otherSide, formats.number(change.otherRank));
  return (
    <span className={joinClasses('change', change.by > 0 ? 'change-up' : 'change-down')} title={text}>
      <span aria-hidden="true">{`${change.by > 0 ? '↑' : '↓'} ${by}`}</span>
      <span className="visually-hidden">{text}</span>
    </span>
  );
}
