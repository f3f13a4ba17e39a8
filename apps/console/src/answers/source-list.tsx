import type { AnswerSource } from '@quarry/client';
import type { ReactNode } from 'react';
import { useFormats, useMessages } from '../language/language-context.js';
import { answerMessages } from './messages.js';
import { selectExcerpt } from './select-excerpt.js';
import { SourceLink } from './source-link.js';
import { splitAtCitations } from './split-at-citations.js';

export interface SourceListProps {
  /** The passages that were read for the answer, the most relevant first. At least one. */
  readonly sources: readonly AnswerSource[];
  /** The text of the answer that cites the sources. */
  readonly answer: string;
  /** The question. Undefined until the server has stored it. */
  readonly question: string | undefined;
}

/** Number of passages that are shown unfolded if the answer cites none. */
const CLOSEST = 3;

/**
 * Shows the sources that an answer cites, and below them the sources that it does not cite. If the answer cites none,
 * shows the passages that are closest to the question.
 */
export function SourceList({ sources, answer, question = '' }: SourceListProps): ReactNode {
  const messages = useMessages(answerMessages);
  const formats = useFormats();
  const isCited = sources.some(({ cited }) => cited);
  const numbered = sources.map((source, index) => ({ source, number: index + 1 }));
  const shown = isCited ? numbered.filter(({ source }) => source.cited) : numbered.slice(0, CLOSEST);
  const others = numbered.filter((one) => !shown.includes(one));
  const othersTitle = formats.plural(others.length, {
    one: messages.otherSourcesOne,
    other: messages.otherSourcesOther,
  });
  const list = {
    // Without marks in the text, the numbers of the sources refer to nothing.
    hasNumbers: splitAtCitations(answer, sources.length).some((piece) => 'citation' in piece),
    excerptFor: isCited ? answer : question,
  };
  return (
    <div className={isCited ? 'sources' : 'sources sources-closest'}>
      {!isCited && <h4>{messages.closestPassages}</h4>}
      <NumberedSources {...list} label={isCited ? messages.sources : messages.closestPassages} numbered={shown} />
      {others.length > 0 && (
        <details className="disclosure">
          <summary>{othersTitle}</summary>
          <div className="disclosure-list">
            <NumberedSources {...list} label={othersTitle} numbered={others} />
          </div>
        </details>
      )}
    </div>
  );
}

interface NumberedSourcesProps {
  readonly label: string;
  readonly numbered: readonly { readonly source: AnswerSource; readonly number: number }[];
  readonly hasNumbers: boolean;
  /** Each excerpt starts at the sentence that shares the most words with this text. */
  readonly excerptFor: string;
}

function NumberedSources({ label, numbered, hasNumbers, excerptFor }: NumberedSourcesProps): ReactNode {
  const messages = useMessages(answerMessages);
  return (
    <ol aria-label={label} className="source-list">
      {numbered.map(({ source, number }) => (
        <li key={source.chunk_id}>
          <SourceLink className="source-card" source={source}>
            <span className="source-card-head">
              {hasNumbers && <span className="source-number">{number}</span>}
              <span className="truncate">{source.datasource_name}</span>
              {source.page !== null && <span className="muted numbers source-page">{messages.page(source.page)}</span>}
            </span>
            <span className="source-excerpt">{selectExcerpt(source.text, excerptFor).replaceAll(/\n{2,}/g, '\n')}</span>
          </SourceLink>
        </li>
      ))}
    </ol>
  );
}
