import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Button } from '../components/button.js';
import { EmptyState } from '../components/empty-state.js';
import { ConversationIcon, SendIcon, StopIcon } from '../components/icons.js';
import { TextArea } from '../components/text-field.js';
import { useMessages } from '../language/language-context.js';
import './answers.css';
import { answerMessages } from './messages.js';
import { TurnView } from './turn-view.js';
import type { Chat } from './use-chat.js';

export interface ChatPanelProps {
  readonly chat: Chat;
  readonly conversationId: string | undefined;
}

/** Shows a conversation with an agent: its questions and answers, and the field for the next question. */
export function ChatPanel({ chat, conversationId }: ChatPanelProps): ReactNode {
  const messages = useMessages(answerMessages);
  const { turns, isBusy, ask, setFeedback } = chat;
  const end = useRef<HTMLDivElement>(null);
  const last = turns.at(-1);
  // A new question scrolls into view. A growing answer does not scroll, so that the visible text stays in its place.
  useEffect(() => {
    if (last !== undefined) end.current?.scrollIntoView({ block: 'nearest' });
  }, [last?.id, last?.state]); // eslint-disable-line react-hooks/exhaustive-deps -- see above
  return (
    <section aria-label={messages.chat} className="chat">
      <div className="chat-turns">
        {turns.length === 0 && (
          <EmptyState icon={ConversationIcon} title={messages.chatTitle}>
            {messages.chatEmpty}
          </EmptyState>
        )}
        {turns.map((turn) => (
          <TurnView
            conversationId={conversationId}
            key={turn.id}
            onAskAgain={isBusy || turn !== last ? undefined : ask}
            onFeedback={setFeedback}
            turn={turn}
          />
        ))}
        <div className="chat-end" ref={end} />
      </div>
      <QuestionForm chat={chat} />
    </section>
  );
}

function QuestionForm({ chat: { isBusy, ask, stop } }: { readonly chat: Chat }): ReactNode {
  const messages = useMessages(answerMessages);
  const [question, setQuestion] = useState('');
  const sendQuestion = (): void => {
    if (isBusy || question.trim() === '') return;
    ask(question.trim());
    setQuestion('');
  };
  const handleKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    sendQuestion();
  };
  return (
    <form
      className="question-form"
      onSubmit={(event) => {
        event.preventDefault();
        sendQuestion();
      }}
    >
      <TextArea
        hint={messages.sendHint}
        isLabelHidden
        label={messages.placeholder}
        onChange={setQuestion}
        onKeyDown={handleKey}
        placeholder={messages.placeholder}
        rows={1}
        value={question}
      />
      {isBusy ? (
        <Button icon={StopIcon} onClick={stop}>
          {messages.stop}
        </Button>
      ) : (
        <Button disabled={question.trim() === ''} icon={SendIcon} kind="primary" type="submit">
          {messages.send}
        </Button>
      )}
    </form>
  );
}
