import type { SearchExplanation } from '@quarry/client';
import type { ReactNode } from 'react';
import { Tag } from '../../components/status-badge.js';
import { useFormats, useLanguage, useMessages } from '../../language/language-context.js';
import { playgroundMessages } from './messages.js';

type Stage = SearchExplanation['stages'][number]['stage'];
type Messages = (typeof playgroundMessages)['en'];

/**
 * Explains how a query was searched: shows its terms, the languages of the searched documents, each lexical and dense
 * search, and the time of each stage.
 */
export function ExplanationPanel({ explanation }: { readonly explanation: SearchExplanation }): ReactNode {
  const messages = useMessages(playgroundMessages);
  const formats = useFormats();
  const { query, lists } = explanation;
  return (
    <div className="explanation">
      <StageTimes stages={explanation.stages} />
      <dl className="explanation-facts">
        <dt>{messages.terms}</dt>
        <dd className="tags">
          {query.terms.length === 0 && <span className="muted">{messages.noTerms}</span>}
          {query.terms.map((term) => (
            <Tag key={term}>{term}</Tag>
          ))}
        </dd>
        <dt>{messages.languages}</dt>
        <dd>
          <LanguageNames codes={query.languages} />
        </dd>
        {lists.map(({ kind, text, weight, found, ms }, at) => (
          <RankedListFact
            detail={messages.listDetail(formats.number(found), formats.number(weight), formats.duration(ms))}
            key={`${at} ${kind}`}
            text={text === query.text ? undefined : text}
            title={kind === 'lexical' ? messages.lexical : messages.dense}
          />
        ))}
      </dl>
    </div>
  );
}

interface ListFactProps {
  readonly title: string;
  readonly detail: string;
  /** The text for which this search was made, if it differs from the query. Otherwise undefined. */
  readonly text: string | undefined;
}

function RankedListFact({ title, detail, text }: ListFactProps): ReactNode {
  return (
    <>
      <dt>{title}</dt>
      <dd className="numbers">
        {detail}
        {text !== undefined && <span className="muted"> · {text}</span>}
      </dd>
    </>
  );
}

function LanguageNames({ codes }: { readonly codes: readonly string[] }): ReactNode {
  const { language, formats } = useLanguage();
  const names = new Intl.DisplayNames([language], { type: 'language' });
  return codes.length === 0 ? '–' : formats.list(codes.map((code) => names.of(code) ?? code));
}

/** Shows a bar that is divided by the times of the search stages, and a legend with these times. */
function StageTimes({ stages }: Pick<SearchExplanation, 'stages'>): ReactNode {
  const messages = useMessages(playgroundMessages);
  const formats = useFormats();
  const total = stages.reduce((sum, { ms }) => sum + ms, 0);
  return (
    <div className="stage-times">
      <div aria-hidden="true" className="stage-bar">
        {stages.map(({ stage, ms }, at) => (
          <span
            className={`stage-part stage-part-${stage}`}
            key={`${at} ${stage}`}
            style={{ width: `${total === 0 ? 0 : (ms / total) * 100}%` }}
          />
        ))}
      </div>
      <ul aria-label={messages.stages} className="stage-legend numbers">
        {stages.map(({ stage, ms }, at) => (
          <li key={`${at} ${stage}`}>
            <span aria-hidden="true" className={`stage-dot stage-part-${stage}`} />
            {getStageName(stage, messages)} <span className="muted">{formatMilliseconds(ms, formats.number)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function getStageName(stage: Stage, messages: Messages): string {
  const names: Readonly<Record<Stage, string>> = {
    embed: messages.stageEmbed,
    search: messages.stageSearch,
    fuse: messages.stageFuse,
    rerank: messages.stageRerank,
    select: messages.stageSelect,
  };
  return names[stage];
}

/** Formats a time in milliseconds. A time below 10 ms has one decimal. */
function formatMilliseconds(ms: number, format: (value: number) => string): string {
  return `${format(ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms))} ms`;
}
