import type { SetFeedbackRequest } from '@quarry/client';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Button } from '../components/button.js';
import { Checkbox } from '../components/checkbox.js';
import { TextArea } from '../components/text-field.js';
import { useMessages } from '../language/language-context.js';
import { answerMessages } from './messages.js';

export const FEEDBACK_REASONS = [
  'wrong',
  'incomplete',
  'outdated',
  'wrong_source',
  'not_understood',
  'other',
] as const satisfies NonNullable<SetFeedbackRequest['reasons']>;

export interface FeedbackFormProps {
  readonly isBusy: boolean;
  readonly onSend: (details: Pick<SetFeedbackRequest, 'reasons' | 'comment'>) => void;
}

/** Shows the form that asks why an answer was not helpful. The form scrolls into view when it opens. */
export function FeedbackForm({ isBusy, onSend }: FeedbackFormProps): ReactNode {
  const messages = useMessages(answerMessages);
  const [reasons, setReasons] = useState<readonly (typeof FEEDBACK_REASONS)[number][]>([]);
  const [comment, setComment] = useState('');
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <form
      className="form feedback-form"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        onSend({ reasons: [...reasons], comment });
      }}
    >
      <fieldset className="field-group">
        <legend>{messages.feedbackTitle}</legend>
        <div className="feedback-reasons">
          {FEEDBACK_REASONS.map((reason) => (
            <Checkbox
              isChecked={reasons.includes(reason)}
              key={reason}
              label={messages[reason]}
              onChange={(isChecked) =>
                setReasons((before) => (isChecked ? [...before, reason] : before.filter((one) => one !== reason)))
              }
            />
          ))}
        </div>
      </fieldset>
      <TextArea isOptional label={messages.comment} maxLength={2_000} onChange={setComment} value={comment} />
      <div>
        <Button isBusy={isBusy} type="submit">
          {messages.sendFeedback}
        </Button>
      </div>
    </form>
  );
}
