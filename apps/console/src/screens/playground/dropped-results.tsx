import type { DroppedResult, SearchExplanation } from '@quarry/client';
import type { ReactNode } from 'react';
import { Tag } from '../../components/status-badge.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { playgroundMessages } from './messages.js';
import { MarkedText, PassageLink } from './result-card.js';
import { StageScores } from './stage-scores.js';

type Reason = SearchExplanation['dropped_counts'][number]['reason'];
type Messages = (typeof playgroundMessages)['en'];

/** Shows the dropped results: fragments that the search found but did not return, each with the reason. */
export function DroppedResults({ explanation }: { readonly explanation: SearchExplanation }): ReactNode {
  const messages = useMessages(playgroundMessages);
  const formats = useFormats();
  const { dropped, dropped_counts: counts, results, query } = explanation;
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return <p className="dropped-none muted">{messages.droppedNone}</p>;
  const ranks = new Map(results.map(({ fragment_id: id }, at) => [id, at + 1]));
  const unlisted = total - dropped.length;
  const unlistedForms = { one: messages.droppedMoreOne, other: messages.droppedMoreOther };
  return (
    <details className="dropped">
      <summary>
        <span className="dropped-title">
          {messages.dropped} <span className="numbers muted">{formats.number(total)}</span>
        </span>
        <span className="tags">
          {counts.map(({ reason, count }) => (
            <Tag key={reason}>
              {describeDropReason(reason, messages).name}&nbsp;<span className="numbers">{formats.number(count)}</span>
            </Tag>
          ))}
        </span>
      </summary>
      <ol className="results">
        {dropped.map((item) => (
          <DroppedResultCard
            duplicateRank={ranks.get(item.duplicate_of ?? '')}
            item={item}
            key={item.fragment_id}
            terms={query.terms}
          />
        ))}
      </ol>
      {unlisted > 0 && <p className="muted">{formats.plural(unlisted, unlistedForms)}</p>}
    </details>
  );
}

interface DroppedResultCardProps {
  readonly item: DroppedResult;
  /** The rank of the returned result that the dropped fragment duplicates. Undefined if it duplicates none. */
  readonly duplicateRank: number | undefined;
  readonly terms: readonly string[];
}

function DroppedResultCard({ item, duplicateRank, terms }: DroppedResultCardProps): ReactNode {
  const messages = useMessages(playgroundMessages);
  const formats = useFormats();
  const { name, why } = describeDropReason(item.reason, messages);
  return (
    <li className="result result-dropped">
      <div className="result-head">
        <PassageLink found={item} scores={item} />
        <Tag>{name}</Tag>
      </div>
      <p className="dropped-why muted">
        {duplicateRank === undefined ? why : messages.duplicateOf(formats.number(duplicateRank))}
      </p>
      <p className="result-text">
        <MarkedText terms={terms} text={item.text} />
      </p>
      <StageScores scores={item} />
    </li>
  );
}

function describeDropReason(reason: Reason, messages: Messages): { readonly name: string; readonly why: string } {
  const reasons: Readonly<Record<Reason, { readonly name: string; readonly why: string }>> = {
    superseded_version: { name: messages.reasonSupersededVersion, why: messages.whySupersededVersion },
    duplicate: { name: messages.reasonDuplicate, why: messages.whyDuplicate },
    document_limit: { name: messages.reasonDocumentLimit, why: messages.whyDocumentLimit },
    displaced: { name: messages.reasonDisplaced, why: messages.whyDisplaced },
    rank_cut: { name: messages.reasonRankCut, why: messages.whyRankCut },
    datasource_removed: { name: messages.reasonDatasourceRemoved, why: messages.whyDatasourceRemoved },
  };
  return reasons[reason];
}
