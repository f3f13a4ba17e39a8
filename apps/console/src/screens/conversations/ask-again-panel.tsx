import { useState, type ReactNode } from 'react';
import { TurnView } from '../../answers/turn-view.js';
import { useChat } from '../../answers/use-chat.js';
import { Button } from '../../components/button.js';
import { DialogActions } from '../../components/dialog.js';
import { useMessages } from '../../language/language-context.js';
import { useHasScope } from '../../session/use-session.js';
import { conversationsMessages } from './messages.js';

interface AskAgainPanelProps {
  readonly agentId: string;
  readonly question: string;
  readonly onClose: () => void;
}

/**
 * Shows a button that asks a question again after its answer was added to a datastore, and shows the new answer of the
 * agent. The question starts a new conversation.
 */
export function AskAgainPanel({ agentId, question, onClose }: AskAgainPanelProps): ReactNode {
  const messages = useMessages(conversationsMessages);
  const canAsk = useHasScope('query');
  const [conversationId, setConversationId] = useState<string>();
  const chat = useChat({
    ...{ agentId, conversationId: undefined, turns: [], runningMessageId: undefined },
    onProgress: setConversationId,
  });
  return (
    <div className="form">
      <p role="status">{messages.indexed}</p>
      {chat.turns.slice(-1).map((turn) => (
        <TurnView conversationId={conversationId} key={turn.id} onFeedback={chat.setFeedback} turn={turn} />
      ))}
      <DialogActions>
        <Button onClick={onClose}>{messages.done}</Button>
        {canAsk && (
          <Button isBusy={chat.isBusy} kind="primary" onClick={() => chat.ask(question)}>
            {messages.askAgain}
          </Button>
        )}
      </DialogActions>
    </div>
  );
}
