import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { componentMessages } from '../../components/messages.js';
import { Select } from '../../components/select.js';
import { TextField } from '../../components/text-field.js';
import { useToasts } from '../../components/toasts.js';
import type { Language } from '../../language/define-messages.js';
import { createFormats } from '../../language/formats.js';
import { useMessages } from '../../language/language-context.js';
import { deliveryMessages } from './delivery-messages.js';
import { formatLocalTime } from './format-local-time.js';
import { useResendDeliveries } from './use-deliveries.js';

interface ResendDialogProps {
  readonly webhookId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/**
 * Shows a dialog that resends the failed events, the delivered events, or both. The user selects the time of the
 * earliest event.
 */
export function ResendDialog({ webhookId, isOpen, onClose }: ResendDialogProps): ReactNode {
  const messages = useMessages(deliveryMessages);
  return (
    <Dialog description={messages.resendText} isOpen={isOpen} onClose={onClose} title={messages.resendTitle}>
      <ResendForm onClose={onClose} webhookId={webhookId} />
    </Dialog>
  );
}

const DAY_MS = 86_400_000;
const CHOICES = ['failed', 'delivered', 'all'] as const;

function ResendForm({ webhookId, onClose }: Omit<ResendDialogProps, 'isOpen'>): ReactNode {
  const messages = useMessages(deliveryMessages);
  const { cancel } = useMessages(componentMessages);
  const { showToast } = useToasts();
  const [since, setSince] = useState(() => formatLocalTime(new Date(Date.now() - DAY_MS)));
  const [choice, setChoice] = useState<(typeof CHOICES)[number]>('failed');
  const { mutate, isPending, error } = useResendDeliveries(webhookId);
  const resend = (): void => {
    const request = { since: new Date(since).toISOString(), state: choice === 'all' ? undefined : choice };
    mutate(request, {
      onSuccess: (resent) => {
        showToast({ text: (language) => describeResentCount(resent, language) });
        onClose();
      },
    });
  };
  const labels = { failed: messages.onlyFailed, delivered: messages.onlyDelivered, all: messages.allEnded };
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) resend();
      }}
    >
      <div className="form-row">
        <TextField label={messages.since} onChange={setSince} required type="datetime-local" value={since} />
        <Select
          label={messages.which}
          onChange={setChoice}
          options={CHOICES.map((value) => ({ value, label: labels[value] }))}
          value={choice}
        />
      </div>
      {error !== null && <ErrorNotice error={error} />}
      <DialogActions>
        <Button onClick={onClose}>{cancel}</Button>
        <Button disabled={since === ''} isBusy={isPending} kind="primary" type="submit">
          {messages.resend}
        </Button>
      </DialogActions>
    </form>
  );
}

function describeResentCount(count: number, language: Language): string {
  const { noneResent, resentOne: one, resentOther: other } = deliveryMessages[language];
  return count === 0 ? noneResent : createFormats(language).plural(count, { one, other });
}
