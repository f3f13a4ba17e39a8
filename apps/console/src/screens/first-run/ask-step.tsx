import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import '../../answers/answers.css';
import { AnswerText } from '../../answers/answer-text.js';
import { SourceList } from '../../answers/source-list.js';
import { Button } from '../../components/button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import '../../components/panel.css';
import { TextField } from '../../components/text-field.js';
import { useMessages } from '../../language/language-context.js';
import { useDatasources, useDatastore } from '../datasources/use-datasources.js';
import { firstRunMessages } from './messages.js';
import { ModelNotice } from './model-notice.js';
import { useAnswer, type Answer } from './use-answer.js';

/** Shows the last step: a question about the content. Its answer is streamed, with its sources. */
export function AskStep({ datastoreId }: { readonly datastoreId: string }): ReactNode {
  const messages = useMessages(firstRunMessages);
  const { data: datastore } = useDatastore(datastoreId);
  const { answer, ask, stop } = useAnswer(datastoreId, datastore?.name ?? messages.datastoreName);
  const [question, setQuestion] = useState('');
  const form = useScrollToAnswer(answer);
  const { items } = useDatasources(datastoreId, {});
  const isReady = items.some(({ status }) => status === 'synched');
  if (!isReady && answer === undefined) return <p className="muted">{messages.askWait}</p>;
  const isStreaming = answer?.isStreaming === true;
  return (
    <>
      <form
        className="ask-form"
        ref={form}
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

/** Keeps a new answer in view: the question moves to the top of the window when it is asked, and when its answer starts. */
function useScrollToAnswer(answer: Answer | undefined): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  const hasText = answer !== undefined && answer.text !== '';
  useEffect(() => {
    // The start of a long answer leaves the window while it is read, and must not return to it.
    if (answer !== undefined && isLow(form.current)) form.current?.scrollIntoView({ block: 'start' });
  }, [answer?.question, hasText, answer?.isStreaming]); // eslint-disable-line react-hooks/exhaustive-deps -- not each word
  return form;
}

/** Returns true for an element that starts in the lower two thirds of the window. */
function isLow(element: Element | null): boolean {
  return element !== null && element.getBoundingClientRect().top > innerHeight / 3;
}

function AnswerView({ answer }: { readonly answer: Answer }): ReactNode {
  const messages = useMessages(firstRunMessages);
  const { text, isStreaming, response, error } = answer;
  const sources = response?.sources ?? [];
  return (
    <section aria-busy={isStreaming} aria-label={messages.answer} className="panel">
      {text === '' && isStreaming ? (
        <div className="answer-wait" />
      ) : (
        <div aria-live="polite">
          <AnswerText sources={sources} text={text} />
        </div>
      )}
      {error !== undefined && <ErrorNotice error={error} />}
      {sources.length > 0 && <SourceList answer={text} sources={sources} />}
      {response !== undefined && sources.length === 0 && <p className="muted">{messages.noSources}</p>}
    </section>
  );
}
