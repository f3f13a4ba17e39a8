import type { MessageFeedback, SetFeedbackRequest } from '@quarry/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useClient } from '../api/client-context.js';
import { IconButton } from '../components/icon-button.js';
import { ThumbDownIcon, ThumbUpIcon } from '../components/icons.js';
import { useToasts } from '../components/toasts.js';
import { useMessages } from '../language/language-context.js';
import { FeedbackForm } from './feedback-form.js';
import { answerMessages } from './messages.js';

export interface FeedbackControlsProps {
  readonly conversationId: string;
  readonly messageId: string;
  readonly feedback: MessageFeedback | null;
  readonly onChange: (feedback: MessageFeedback | null) => void;
}

/**
 * Shows the buttons that rate an answer. Thumbs down also asks for the reasons. A second click on the same button
 * withdraws the feedback.
 */
export function FeedbackControls(props: FeedbackControlsProps): ReactNode {
  const { feedback, conversationId, messageId, onChange } = props;
  const messages = useMessages(answerMessages);
  const { showToast } = useToasts();
  const client = useClient();
  const queries = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const [note, setNote] = useState<'feedbackSaved' | 'feedbackRemoved'>();
  const { mutate, isPending } = useMutation({
    mutationFn: async (request: SetFeedbackRequest | null) => {
      if (request !== null) return client.setFeedback(conversationId, messageId, request);
      await client.deleteFeedback(conversationId, messageId);
      return null;
    },
    onSuccess: (saved, request) => {
      onChange(saved);
      // After thumbs down, a form asks for the reasons. The note of thanks appears only after the user has sent the
      // reasons.
      const isAskingNext = request?.rating === 'down' && request.reasons === undefined;
      if (saved === null) setNote('feedbackRemoved');
      else setNote(isAskingNext ? undefined : 'feedbackSaved');
      void queries.invalidateQueries({ queryKey: ['conversations'] });
    },
    onError: () => showToast({ text: (language) => answerMessages[language].feedbackFailed, kind: 'warning' }),
  });
  const sendRating = (rating: 'up' | 'down'): void => {
    const isWithdrawn = feedback?.rating === rating;
    setIsAsking(rating === 'down' && !isWithdrawn);
    mutate(isWithdrawn ? null : { rating });
  };
  return (
    <>
      <div className="feedback">
        {(['up', 'down'] as const).map((rating) => (
          <IconButton
            aria-pressed={feedback?.rating === rating}
            icon={rating === 'up' ? ThumbUpIcon : ThumbDownIcon}
            isSmall
            key={rating}
            label={rating === 'up' ? messages.helpful : messages.notHelpful}
            onClick={() => sendRating(rating)}
          />
        ))}
      </div>
      <span className="feedback-note" role="status">
        {note !== undefined && messages[note]}
      </span>
      {isAsking && (
        <FeedbackForm
          isBusy={isPending}
          // If the request fails, the form stays open with its contents.
          onSend={(details) => mutate({ rating: 'down', ...details }, { onSuccess: () => setIsAsking(false) })}
        />
      )}
    </>
  );
}
