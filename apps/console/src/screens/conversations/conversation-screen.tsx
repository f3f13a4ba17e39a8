import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { groupMessagesIntoTurns, type Turn } from '../../answers/chat-turn.js';
import { TurnView } from '../../answers/turn-view.js';
import { Button } from '../../components/button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { isNotFoundError } from '../../components/explain-error.js';
import { ConversationIcon, PlusIcon, TrashIcon } from '../../components/icons.js';
import { Skeleton } from '../../components/skeleton.js';
import { useMessages } from '../../language/language-context.js';
import { MissingItem } from '../../page/missing-item.js';
import { PageHeader } from '../../page/page-header.js';
import { ScreenLink, useScreenParameters } from '../../routing/screen-link.js';
import { AddAnswerDialog } from './add-answer-dialog.js';
import './conversations.css';
import { DeleteConversationDialog } from './delete-conversation-dialog.js';
import { FeedbackSummary } from './feedback-summary.js';
import { conversationsMessages } from './messages.js';
import { useConversation, type StoredConversation } from './use-conversations.js';

/**
 * Shows a conversation with its sources and feedback. The user can add the missing answer to an unanswered question.
 */
export function ConversationScreen(): ReactNode {
  const messages = useMessages(conversationsMessages);
  const { conversationId } = useScreenParameters('conversation');
  const { data, isPending, error, refetch } = useConversation(conversationId);
  const [isDeleting, setIsDeleting] = useState(false);
  if (isNotFoundError(error)) {
    return (
      <MissingItem
        icon={ConversationIcon}
        list={{ title: messages.title, target: { to: 'conversations' } }}
        showAll={messages.showAll}
        title={messages.missing}
      />
    );
  }
  const deleteButton = (
    <Button icon={TrashIcon} onClick={() => setIsDeleting(true)}>
      {messages.remove}
    </Button>
  );
  return (
    <>
      <PageHeader
        actions={data && deleteButton}
        title={data?.messages[0]?.text ?? messages.conversation}
        trail={[{ title: messages.title, target: { to: 'conversations' } }]}
      />
      <div className="page">
        {error !== null && (
          <ErrorNotice error={error} onRetry={() => void refetch()} title={messages.conversationFailed} />
        )}
        {isPending && <Skeleton lines={8} />}
        {data !== undefined && <ConversationTurns stored={data} />}
      </div>
      <DeleteConversationDialog
        conversationId={conversationId}
        isOpen={isDeleting}
        onClose={() => setIsDeleting(false)}
      />
    </>
  );
}

interface ConversationTurnsProps {
  readonly stored: StoredConversation;
}

function ConversationTurns({ stored }: ConversationTurnsProps): ReactNode {
  const { conversation, agent } = stored;
  const messages = useMessages(conversationsMessages);
  const queries = useQueryClient();
  const [answered, setAnswered] = useState<Turn>();
  const turns = groupMessagesIntoTurns(stored.messages);
  const reload = (): void => void queries.invalidateQueries({ queryKey: ['conversations'] });
  return (
    <div className="turns">
      <p className="muted conversation-facts">
        {agent !== undefined && (
          <ScreenLink parameters={{ agentId: agent.id }} search={{ conversation: conversation.id }} to="agent">
            {messages.continueChat} ({agent.name})
          </ScreenLink>
        )}
        <span>
          {messages.visitor} <code>{conversation.visitorId}</code>
        </span>
      </p>
      {turns.length === 0 && <p className="muted">{messages.notFinished}</p>}
      {turns.map((turn) => (
        <TurnView
          actions={
            (turn.isUnanswered || turn.feedback?.rating === 'down') &&
            turn.question !== undefined && (
              <Button icon={PlusIcon} onClick={() => setAnswered(turn)}>
                {messages.addAnswer}
              </Button>
            )
          }
          conversationId={conversation.id}
          key={turn.id}
          notes={turn.feedback !== null && <FeedbackSummary feedback={turn.feedback} />}
          onFeedback={reload}
          turn={turn}
        />
      ))}
      <AddAnswerDialog
        agent={agent}
        onClose={() => {
          setAnswered(undefined);
          reload();
        }}
        turn={answered}
      />
    </div>
  );
}
