import type { AnswerSource } from '@quarry/client';
import type { ReactNode } from 'react';
import { buildExcerpt } from '../components/build-excerpt.js';
import { useFormats, useMessages } from '../language/language-context.js';
import { answerMessages } from './messages.js';
import { SourceLink } from './source-link.js';

/** Shows the sources of an answer: those that it cites, and below them the other passages that were read. */
export function SourceList({ sources }: { readonly sources: readonly AnswerSource[] }): ReactNode {
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
      {cited.length > 0 && <Sources label={messages.sources} numbered={cited} />}
      {others.length > 0 && (
        <details className="disclosure">
          <summary>{othersTitle}</summary>
          <div className="disclosure-list">
            <Sources label={othersTitle} numbered={others} />
          </div>
        </details>
      )}
    </div>
  );
}

interface SourcesProps {
  readonly label: string;
  readonly numbered: readonly { readonly source: AnswerSource; readonly number: number }[];
}

function Sources({ label, numbered }: SourcesProps): ReactNode {
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
            <span className="source-excerpt">{buildExcerpt(source.text)}</span>
          </SourceLink>
        </li>
      ))}
    </ol>
  );
}
