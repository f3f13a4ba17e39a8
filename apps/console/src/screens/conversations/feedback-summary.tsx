import type { MessageFeedback } from '@quarry/client';
import type { ReactNode } from 'react';
import { answerMessages } from '../../answers/messages.js';
import { StatusBadge, Tag } from '../../components/status-badge.js';
import { RelativeTime } from '../../components/relative-time.js';
import { useMessages } from '../../language/language-context.js';
import { conversationsMessages } from './messages.js';

/** Shows the feedback on an answer with its reasons and its comment. */
export function FeedbackSummary({ feedback }: { readonly feedback: MessageFeedback }): ReactNode {
  const messages = useMessages(conversationsMessages);
  const answers = useMessages(answerMessages);
  const { rating, reasons, comment, updatedAt } = feedback;
  return (
    <div className="feedback-summary">
      <span className="tags">
        <StatusBadge tone={rating === 'up' ? 'success' : 'danger'}>
          {messages.feedbackGiven(messages[rating])}
        </StatusBadge>
        {reasons.map((reason) => (
          <Tag key={reason}>{answers[reason]}</Tag>
        ))}
        <span className="muted">
          <RelativeTime value={updatedAt} />
        </span>
      </span>
      {comment !== null && <p>{comment}</p>}
    </div>
  );
}
