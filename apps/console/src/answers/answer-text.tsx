import type { AnswerSource } from '@quarry/client';
import { Fragment, type ReactNode } from 'react';
import { Markdown } from '../components/markdown.js';
import { useMessages } from '../language/language-context.js';
import { answerMessages } from './messages.js';
import { SourceLink } from './source-link.js';
import { splitAtCitations } from './split-at-citations.js';

export interface AnswerTextProps {
  readonly text: string;
  readonly sources: readonly AnswerSource[];
}

/** Shows the text of an answer. Each citation mark opens the passage that it cites. */
export function AnswerText({ text, sources }: AnswerTextProps): ReactNode {
  return (
    <Markdown
      renderText={(plain) =>
        splitAtCitations(plain, sources.length).map((piece, index) => (
          <Fragment key={`${String(index)} ${'text' in piece ? piece.text : ''}`}>
            {'text' in piece ? piece.text : <CitationMark number={piece.citation} sources={sources} />}
          </Fragment>
        ))
      }
      text={text}
    />
  );
}

interface CitationMarkProps {
  readonly number: number;
  readonly sources: readonly AnswerSource[];
}

function CitationMark({ number, sources }: CitationMarkProps): ReactNode {
  const messages = useMessages(answerMessages);
  const source = sources[number - 1];
  if (source === undefined) return `[${number}]`;
  return (
    <SourceLink className="citation" label={messages.openSource(number, source.datasource_name)} source={source}>
      {number}
    </SourceLink>
  );
}
