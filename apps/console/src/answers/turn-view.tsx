import type { AgentQueryResponse, MessageFeedback } from '@quarry/client';
import type { ReactNode } from 'react';
import { CopyButton } from '../components/copy-button.js';
import { StatusBadge } from '../components/status-badge.js';
import { Tooltip } from '../components/tooltip.js';
import { RelativeTime } from '../components/relative-time.js';
import { useMessages } from '../language/language-context.js';
import { AnswerFailure } from './answer-failure.js';
import { AnswerText } from './answer-text.js';
import './answers.css';
import { FeedbackControls } from './feedback-controls.js';
import { answerMessages, type AnswerMessages } from './messages.js';
import { SourceList } from './source-list.js';
import { isTurnRunning, type Turn } from './chat-turn.js';

export interface TurnViewProps {
  readonly turn: Turn;
  readonly conversationId: string | undefined;
  readonly onFeedback: (turn: Turn, feedback: MessageFeedback | null) => void;
  /** Asks the question of the turn again. Absent: a failed answer has no button that asks again. */
  readonly onAskAgain?: ((question: string) => void) | undefined;
  /** Further buttons below the answer, such as `Add the answer`. */
  readonly actions?: ReactNode;
  /** Content between the answer and its buttons, such as the feedback of a visitor. */
  readonly notes?: ReactNode;
}

/** Shows a question with its answer, its sources and its feedback. */
export function TurnView({ turn, conversationId, onFeedback, onAskAgain, actions, notes }: TurnViewProps): ReactNode {
  const messages = useMessages(answerMessages);
  const { question, answer, sources, messageId } = turn;
  const isEnded = !isTurnRunning(turn);
  const canRate = isEnded && turn.state !== 'stopped' && conversationId !== undefined && messageId !== undefined;
  return (
    <article aria-busy={!isEnded} className="turn">
      <header className="turn-question">
        <h2 className="visually-hidden">{messages.you}</h2>
        <p className="turn-bubble" dir="auto">
          {question ?? messages.questionLater}
        </p>
        {turn.createdAt !== undefined && (
          <span className="muted turn-time">
            <RelativeTime value={turn.createdAt} />
          </span>
        )}
      </header>
      <div className="turn-answer">
        <h3 className="visually-hidden">{messages.answer}</h3>
        <TurnStatus turn={turn} />
        {answer !== '' && <AnswerText sources={sources} text={answer} />}
        <TurnNotices turn={turn} />
        {turn.error !== undefined && (
          <AnswerFailure
            error={turn.error}
            onAskAgain={onAskAgain && question !== undefined ? () => onAskAgain(question) : undefined}
          />
        )}
        {isEnded && sources.length > 0 && <SourceList answer={answer} question={question} sources={sources} />}
        {notes}
        {isEnded && (
          <footer className="turn-actions">
            {canRate && (
              <FeedbackControls
                conversationId={conversationId}
                feedback={turn.feedback}
                messageId={messageId}
                onChange={(feedback) => onFeedback(turn, feedback)}
              />
            )}
            {answer !== '' && <CopyButton text={answer} />}
            {actions}
          </footer>
        )}
      </div>
    </article>
  );
}

function TurnStatus({ turn }: { readonly turn: Turn }): ReactNode {
  const messages = useMessages(answerMessages);
  if (turn.state === 'waiting') {
    return (
      <StatusBadge isActive tone="info">
        {messages.searching}
      </StatusBadge>
    );
  }
  if (turn.state === 'streaming') {
    return (
      <StatusBadge isActive tone="info">
        {messages.answering}
      </StatusBadge>
    );
  }
  return (
    <span className="turn-badges">
      {turn.isUnanswered && <StatusBadge tone="warning">{messages.unanswered}</StatusBadge>}
      {turn.answeredBy === 'extractive' && (
        <Tooltip text={messages.extractiveHint}>
          <span className="tag">{messages.extractive}</span>
        </Tooltip>
      )}
    </span>
  );
}

function TurnNotices({ turn }: { readonly turn: Turn }): ReactNode {
  const messages = useMessages(answerMessages);
  const { state, isResumed, error } = turn;
  const notices = [
    isResumed && messages.resumed,
    state === 'stopped' && messages.stopped,
    state === 'interrupted' && messages.interrupted,
    state === 'failed' && error === undefined && messages.failed,
    ...turn.notes.map((note) => describeAnswerNote(note, messages)),
  ].filter((notice) => notice !== false);
  if (notices.length === 0) return null;
  return (
    <div role="status">
      <ul className="turn-notices">
        {[...new Set(notices)].map((notice) => (
          <li key={notice}>{notice}</li>
        ))}
      </ul>
    </div>
  );
}

/**
 * Returns the text for a note code that the server sent with an answer, such as `answer_truncated` or `not_reranked`.
 */
function describeAnswerNote(note: AgentQueryResponse['notes'][number], messages: AnswerMessages): string {
  if (note === 'answer_truncated') return messages.truncated;
  if (note === 'not_embedded') return messages.notEmbedded;
  if (note === 'not_reranked') return messages.notReranked;
  return note === 'model_not_configured' ? messages.modelIgnored : messages.unsupported;
}
