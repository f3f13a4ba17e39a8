import type { Datastore, Message } from '@quarry/client';
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import '../../answers/answers.css';
import { isTurnRunning, type Turn } from '../../answers/chat-turn.js';
import { TurnView } from '../../answers/turn-view.js';
import type { Chat } from '../../answers/use-chat.js';
import { useStoredChat, type ConversationStart } from '../../answers/use-stored-chat.js';
import { useStoredMessages } from '../../answers/use-stored-messages.js';
import { Button } from '../../components/button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { isNotFoundError } from '../../components/explain-error.js';
import { PlusIcon } from '../../components/icons.js';
import '../../components/panel.css';
import { Skeleton } from '../../components/skeleton.js';
import { TextField } from '../../components/text-field.js';
import { useMessages } from '../../language/language-context.js';
import { useOpenScreen, useSearchParameter } from '../../routing/screen-link.js';
import { useSession } from '../../session/use-session.js';
import { useHasSynchedDatasource } from '../datasources/use-datasources.js';
import { AgentLinks } from './agent-links.js';
import { readLastSteps, storeLastSteps } from './last-steps.js';
import { firstRunMessages } from './messages.js';
import { ModelNotice } from './model-notice.js';
import { useFirstAgent } from './use-first-agent.js';

interface AskStepProps {
  readonly datastore: Datastore;
  /** True to scroll to the stored answer when the step opens, because the user has returned to this screen. */
  readonly isReturn: boolean;
}

/**
 * Shows the third step: a conversation about the added content. The address contains the id of the conversation, so
 * that the Back button and a reload show the conversation again.
 */
export function AskStep({ datastore, isReturn }: AskStepProps): ReactNode {
  const messages = useMessages(firstRunMessages);
  const openConversation = useConversationOpener(datastore.id);
  const [conversationId] = useSearchParameter('conversation');
  const [runningMessageId] = useSearchParameter('answering');
  // Only the conversation whose id was in the address when the step opened is loaded. A conversation that starts later
  // is already on the screen.
  const [start, setStart] = useState({ conversationId, runningMessageId, count: 0 });
  const { stored, error } = useStoredMessages(start.conversationId);
  const hasContent = useHasSynchedDatasource(datastore.id);
  const startNewConversation = (): void => {
    setStart({ conversationId: undefined, runningMessageId: undefined, count: start.count + 1 });
    openConversation(undefined);
  };
  const isDeleted = isNotFoundError(error);
  if (error !== null && !isDeleted) return <ErrorNotice error={error} onRetry={startNewConversation} />;
  if (stored === undefined && !isDeleted) return <Skeleton lines={3} />;
  const hasAsked = (stored?.length ?? 0) > 0 || conversationId !== undefined;
  if (!hasAsked && !hasContent) return <p className="muted">{messages.askWait}</p>;
  return (
    <DatastoreConversation
      datastore={datastore}
      isReturn={isReturn && start.count === 0}
      key={start.count}
      onRestart={startNewConversation}
      start={isDeleted ? { conversationId: undefined, runningMessageId: undefined } : start}
      storedMessages={stored ?? []}
    />
  );
}

interface DatastoreConversationProps extends AskStepProps {
  readonly start: ConversationStart;
  readonly storedMessages: readonly Message[];
  readonly onRestart: () => void;
}

function DatastoreConversation({
  datastore,
  isReturn,
  start,
  storedMessages,
  onRestart,
}: DatastoreConversationProps): ReactNode {
  const messages = useMessages(firstRunMessages);
  const openConversation = useConversationOpener(datastore.id);
  const { agent, requireAgent } = useFirstAgent(datastore, start.conversationId);
  const { chat, conversationId } = useStoredChat({
    ...{ agentId: requireAgent, start, storedMessages },
    onProgress: openConversation,
  });
  const answers = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isReturn) answers.current?.scrollIntoView({ block: 'nearest' });
  }, [isReturn]);
  const last = chat.turns.at(-1);
  useScrollToAnswer(answers, last);
  return (
    <>
      {last !== undefined && (
        <section aria-label={messages.answer} className="panel first-answers" ref={answers}>
          {chat.turns.map((turn) => (
            <TurnView
              conversationId={conversationId}
              key={turn.id}
              onAskAgain={chat.isBusy || turn !== last ? undefined : chat.ask}
              onFeedback={chat.setFeedback}
              turn={turn}
            />
          ))}
        </section>
      )}
      <QuestionForm chat={chat} />
      <AgentLinks agent={agent} conversationId={chat.isBusy ? undefined : conversationId} datastore={datastore}>
        {last !== undefined && (
          <Button disabled={chat.isBusy} icon={PlusIcon} kind="quiet" onClick={onRestart}>
            {messages.newConversation}
          </Button>
        )}
      </AgentLinks>
      <ModelNotice
        answeredBy={last === undefined || isTurnRunning(last) ? undefined : (last.answeredBy ?? undefined)}
      />
    </>
  );
}

/**
 * Scrolls a new answer to the top of the window when its question is asked, when the answer starts, and when it ends.
 * Does not scroll if the answer is already in the upper third, or is a stored answer.
 */
function useScrollToAnswer(answers: RefObject<HTMLElement | null>, last: Turn | undefined): void {
  const [storedId] = useState(last?.id);
  const isNew = last !== undefined && last.id !== storedId;
  const hasText = last !== undefined && last.answer !== '';
  const isAnswering = last !== undefined && isTurnRunning(last);
  useEffect(() => {
    const turn = answers.current?.lastElementChild;
    // If the user has scrolled past the start of a long answer, the start must not scroll into view again.
    if (isNew && isInLowerPart(turn)) turn?.scrollIntoView({ block: 'start' });
  }, [answers, isNew, hasText, isAnswering, last?.id]);
}

/** Returns true for an element that starts in the lower two thirds of the window. */
function isInLowerPart(element: Element | null | undefined): boolean {
  return (element?.getBoundingClientRect().top ?? 0) > innerHeight / 3;
}

function QuestionForm({ chat: { isBusy, ask, stop } }: { readonly chat: Chat }): ReactNode {
  const messages = useMessages(firstRunMessages);
  const [question, setQuestion] = useState('');
  return (
    <form
      className="ask-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (question.trim() === '' || isBusy) return;
        ask(question.trim());
        setQuestion('');
      }}
    >
      <TextField
        isLabelHidden
        label={messages.askLabel}
        onChange={setQuestion}
        placeholder={messages.askPlaceholder}
        value={question}
      />
      {isBusy ? (
        <Button onClick={stop}>{messages.stop}</Button>
      ) : (
        <Button disabled={question.trim() === ''} kind="primary" type="submit">
          {messages.ask}
        </Button>
      )}
    </form>
  );
}

/**
 * Returns a function that writes the ids of a conversation and of its running answer to the address. It also stores
 * them in the last steps, if these have the same datastore.
 */
function useConversationOpener(datastoreId: string): (conversation: string | undefined, answering?: string) => void {
  const openScreen = useOpenScreen();
  const { organization } = useSession();
  return (conversation, answering) => {
    openScreen({ to: 'firstRun', search: { datastore: datastoreId, conversation, answering }, isReplacing: true });
    if (readLastSteps(organization.id)?.datastoreId !== datastoreId) return;
    storeLastSteps(organization.id, { datastoreId, conversationId: conversation, runningMessageId: answering });
  };
}
