import type { AnswerSource } from '@quarry/client';
import type { ReactNode } from 'react';
import { useFormats, useMessages } from '../language/language-context.js';
import { answerMessages } from './messages.js';
import { selectExcerpt } from './select-excerpt.js';
import { SourceLink } from './source-link.js';

export interface SourceListProps {
  readonly sources: readonly AnswerSource[];
  /** The text of the answer that cites the sources. */
  readonly answer: string;
}

/** Shows the sources that an answer cites, and below them the sources that it does not cite. */
export function SourceList({ sources, answer }: SourceListProps): ReactNode {
  const messages = useMessages(answerMessages);
  const formats = useFormats();
  const numbered = sources.map((source, index) => ({ source, number: index + 1 }));
  const cited = numbered.filter(({ source }) => source.cited);
  const others = numbered.filter(({ source }) => !source.cited);
  const othersTitle = formats.plural(others.length, {
    one: messages.otherSourcesOne,
    other: messages.otherSourcesOther,
  });
  return (
    <div className="sources">
      {cited.length > 0 && <NumberedSources answer={answer} label={messages.sources} numbered={cited} />}
      {others.length > 0 && (
        <details className="disclosure">
          <summary>{othersTitle}</summary>
          <div className="disclosure-list">
            <NumberedSources answer={answer} label={othersTitle} numbered={others} />
          </div>
        </details>
      )}
    </div>
  );
}

interface NumberedSourcesProps extends Pick<SourceListProps, 'answer'> {
  readonly label: string;
  readonly numbered: readonly { readonly source: AnswerSource; readonly number: number }[];
}

function NumberedSources({ answer, label, numbered }: NumberedSourcesProps): ReactNode {
  const messages = useMessages(answerMessages);
  return (
    <ol aria-label={label} className="source-list">
      {numbered.map(({ source, number }) => (
        <li key={source.chunk_id}>
          <SourceLink className="source-card" source={source}>
            <span className="source-card-head">
              <span className="source-number">{number}</span>
              <span className="truncate">{source.datasource_name}</span>
              {source.page !== null && <span className="muted numbers source-page">{messages.page(source.page)}</span>}
            </span>
            <span className="source-excerpt">{selectExcerpt(source.text, answer)}</span>
          </SourceLink>
        </li>
      ))}
    </ol>
  );
}
