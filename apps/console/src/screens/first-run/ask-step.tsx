import type { AnswerSource } from '@quarry/client';
import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import '../../components/panel.css';
import { TextField } from '../../components/text-field.js';
import { useMessages } from '../../language/language-context.js';
import { ScreenLink } from '../../routing/screen-link.js';
import { useDatasources, useDatastore } from '../datasources/use-datasources.js';
import { firstRunMessages } from './messages.js';
import { ModelNotice } from './model-notice.js';
import { useAnswer, type Answer } from './use-answer.js';

/** Asks about the content. The answer streams in with its sources. */
export function AskStep({ datastoreId }: { readonly datastoreId: string }): ReactNode {
  const messages = useMessages(firstRunMessages);
  const { data: datastore } = useDatastore(datastoreId);
  const { answer, ask, stop } = useAnswer(datastoreId, datastore?.name ?? messages.datastoreName);
  const [question, setQuestion] = useState('');
  const { items } = useDatasources(datastoreId, {});
  const isReady = items.some(({ status }) => status === 'synched');
  if (!isReady && answer === undefined) return <p className="muted">{messages.askWait}</p>;
  const isStreaming = answer?.isStreaming === true;
  return (
    <>
      <form
        className="ask-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (question.trim() !== '' && !isStreaming) ask(question.trim());
        }}
      >
        <TextField
          isLabelHidden
          label={messages.askLabel}
          onChange={setQuestion}
          placeholder={messages.askPlaceholder}
          value={question}
        />
        {isStreaming ? (
          <Button onClick={stop}>{messages.stop}</Button>
        ) : (
          <Button disabled={question.trim() === ''} kind="primary" type="submit">
            {messages.ask}
          </Button>
        )}
      </form>
      {answer !== undefined && <AnswerView answer={answer} />}
      <ModelNotice answeredBy={answer?.response?.answeredBy} />
    </>
  );
}

function AnswerView({ answer }: { readonly answer: Answer }): ReactNode {
  const messages = useMessages(firstRunMessages);
  const { text, isStreaming, response, error } = answer;
  return (
    <section aria-busy={isStreaming} aria-label={messages.answer} className="panel">
      {text === '' && isStreaming ? (
        <div className="answer-wait" />
      ) : (
        <p aria-live="polite" className="answer-text">
          {text}
        </p>
      )}
      {error !== undefined && <ErrorNotice error={error} />}
      {response !== undefined && <Sources sources={response.sources} />}
    </section>
  );
}

function Sources({ sources }: { readonly sources: readonly AnswerSource[] }): ReactNode {
  const messages = useMessages(firstRunMessages);
  if (sources.length === 0) return <p className="muted">{messages.noSources}</p>;
  return (
    <>
      <h3>{messages.sources}</h3>
      <ol className="answer-sources">
        {sources.map(({ chunk_id: id, datasource_id: datasourceId, datasource_name: name, page, text, cited }) => (
          <li key={id}>
            <div>
              <ScreenLink parameters={{ datasourceId }} to="datasource">
                {name}
              </ScreenLink>
              {page !== null && <span className="muted">{messages.page(String(page))}</span>}
              {cited && <span className="tag">{messages.cited}</span>}
            </div>
            <p className="muted answer-passage">{text}</p>
          </li>
        ))}
      </ol>
    </>
  );
}
