import { QuarryError, type Webhook } from '@quarry/client';
import type { ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { Checkbox } from '../../components/checkbox.js';
import { DialogActions } from '../../components/dialog.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { findFieldError } from '../../components/find-field-error.js';
import { componentMessages } from '../../components/messages.js';
import { TextField } from '../../components/text-field.js';
import { useDraft } from '../../components/use-draft.js';
import { useMessages } from '../../language/language-context.js';
import { webhooksMessages } from './messages.js';
import {
  createWebhookDraft,
  WEBHOOK_EVENTS,
  type ShownSecret,
  type useSaveWebhook,
  type WebhookEvent,
} from './use-webhooks.js';
import { getEventLabel } from './webhook-labels.js';

interface WebhookFormProps {
  /** The webhook to edit. Undefined: the form creates a webhook. */
  readonly webhook: Webhook | undefined;
  readonly save: ReturnType<typeof useSaveWebhook>;
  readonly onSaved: (secret: ShownSecret | undefined) => void;
  readonly onClose: () => void;
}

/** Shows the form for the address and the events of a webhook. */
export function WebhookForm({ webhook, save, onSaved, onClose }: WebhookFormProps): ReactNode {
  const messages = useMessages(webhooksMessages);
  const { cancel } = useMessages(componentMessages);
  const { values, change } = useDraft(createWebhookDraft(webhook));
  const { url, events } = values;
  const { mutate, isPending, error } = save;
  const isFieldError = error instanceof QuarryError && error.errors.length > 0;
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) mutate(values, { onSuccess: onSaved });
      }}
    >
      <TextField
        error={findFieldError(error, 'url')}
        hint={messages.urlHint}
        inputMode="url"
        isCode
        label={messages.url}
        onChange={(text) => change({ url: text })}
        placeholder="https://"
        required
        value={url}
      />
      <WebhookEventChoice events={events} onChange={(chosen) => change({ events: chosen })} />
      {error !== null && !isFieldError && <ErrorNotice error={error} />}
      <DialogActions>
        <Button disabled={isPending} onClick={onClose}>
          {cancel}
        </Button>
        <Button disabled={url.trim() === '' || events.length === 0} isBusy={isPending} kind="primary" type="submit">
          {webhook === undefined ? messages.create : messages.save}
        </Button>
      </DialogActions>
    </form>
  );
}

interface WebhookEventChoiceProps {
  readonly events: readonly WebhookEvent[];
  readonly onChange: (events: readonly WebhookEvent[]) => void;
}

function WebhookEventChoice({ events, onChange }: WebhookEventChoiceProps): ReactNode {
  const messages = useMessages(webhooksMessages);
  return (
    <fieldset className="field-group">
      <legend>{messages.events}</legend>
      {WEBHOOK_EVENTS.map((event) => (
        <Checkbox
          hint={<code>{event}</code>}
          isChecked={events.includes(event)}
          key={event}
          label={getEventLabel(event, messages)}
          onChange={(isChecked) => onChange(isChecked ? [...events, event] : events.filter((other) => other !== event))}
        />
      ))}
    </fieldset>
  );
}
