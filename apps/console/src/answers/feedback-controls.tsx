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

/** Rates an answer. Thumbs down also asks for the reasons. A second click withdraws the feedback. */
export function FeedbackControls(props: FeedbackControlsProps): ReactNode {
  const { feedback, conversationId, messageId, onChange } = props;
  const messages = useMessages(answerMessages);
  const { showToast } = useToasts();
  const client = useClient();
  const queries = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const { mutate, isPending } = useMutation({
    mutationFn: async (request: SetFeedbackRequest | null) => {
      if (request !== null) return client.setFeedback(conversationId, messageId, request);
      await client.deleteFeedback(conversationId, messageId);
      return null;
    },
    onSuccess: (saved) => {
      onChange(saved);
      showToast({ text: (language) => answerMessages[language][saved === null ? 'feedbackRemoved' : 'feedbackSaved'] });
      void queries.invalidateQueries({ queryKey: ['conversations'] });
    },
    onError: () => showToast({ text: (language) => answerMessages[language].feedbackFailed, kind: 'warning' }),
  });
  const rate = (rating: 'up' | 'down'): void => {
    const isWithdrawn = feedback?.rating === rating;
    setIsAsking(rating === 'down' && !isWithdrawn);
    mutate(isWithdrawn ? null : { rating });
  };
  const isRated = (rating: 'up' | 'down'): boolean => feedback?.rating === rating;
  return (
    <>
      <div className="feedback">
        <IconButton
          aria-pressed={isRated('up')}
          icon={ThumbUpIcon}
          isSmall
          label={messages.helpful}
          onClick={() => rate('up')}
        />
        <IconButton
          aria-pressed={isRated('down')}
          icon={ThumbDownIcon}
          isSmall
          label={messages.notHelpful}
          onClick={() => rate('down')}
        />
      </div>
      {isAsking && (
        <FeedbackForm
          isBusy={isPending}
          onSend={(details) => {
            mutate({ rating: 'down', ...details });
            setIsAsking(false);
          }}
        />
      )}
    </>
  );
}
