import { QuarryError, type Organization } from '@quarry/client';
import type { ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { CodeBlock } from '../../components/code-block.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { findFieldError } from '../../components/find-field-error.js';
import { componentMessages } from '../../components/messages.js';
import { NumberField } from '../../components/number-field.js';
import { TextField } from '../../components/text-field.js';
import { useToasts } from '../../components/toasts.js';
import { useDraft } from '../../components/use-draft.js';
import { useMessages } from '../../language/language-context.js';
import { organizationsMessages } from './messages.js';
import {
  createOrganizationDraft,
  isCompleteOrganization,
  type LimitName,
  type OrganizationDraft,
} from './organization-draft.js';
import { useSaveOrganization } from './use-organizations.js';

interface OrganizationDialogProps {
  /** The organization to edit. Undefined: the dialog creates an organization and shows its first key. */
  readonly organization: Organization | undefined;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Shows a dialog that creates or edits an organization. */
export function OrganizationDialog({ organization, isOpen, onClose }: OrganizationDialogProps): ReactNode {
  const messages = useMessages(organizationsMessages);
  const save = useSaveOrganization(organization);
  if (save.data !== undefined) {
    return (
      <Dialog
        description={messages.keyText}
        isOpen={isOpen}
        // A click beside the dialog must not close the dialog, because the key is shown only once.
        isPersistent
        onClose={onClose}
        onClosed={save.reset}
        title={messages.keyTitle}
      >
        <div className="form">
          <CodeBlock code={save.data} isWrapped label={messages.key} />
        </div>
        <DialogActions>
          <Button kind="primary" onClick={onClose}>
            {messages.done}
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  const isNew = organization === undefined;
  return (
    <Dialog
      isOpen={isOpen}
      // The response contains the key, which is shown only once.
      isPersistent={save.isPending}
      onClose={onClose}
      onClosed={save.reset}
      title={isNew ? messages.create : messages.editTitle}
      {...(isNew ? { description: messages.createHint } : {})}
    >
      <OrganizationForm onClose={onClose} organization={organization} save={save} />
    </Dialog>
  );
}

interface OrganizationFormProps {
  readonly organization: Organization | undefined;
  readonly save: ReturnType<typeof useSaveOrganization>;
  readonly onClose: () => void;
}

function OrganizationForm({ organization, save, onClose }: OrganizationFormProps): ReactNode {
  const messages = useMessages(organizationsMessages);
  const { cancel } = useMessages(componentMessages);
  const { showToast } = useToasts();
  const { values: draft, change } = useDraft(createOrganizationDraft(organization));
  const { mutate, isPending, error } = save;
  const canSave = isCompleteOrganization(draft);
  const finish = (key: string | undefined): void => {
    if (key !== undefined) return;
    showToast({ text: (language) => organizationsMessages[language].saved(draft.name) });
    onClose();
  };
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (canSave && !isPending) mutate(draft, { onSuccess: finish });
      }}
    >
      <TextField
        error={findFieldError(error, 'name')}
        label={messages.name}
        maxLength={200}
        onChange={(name) => change({ name })}
        required
        value={draft.name}
      />
      <OrganizationLimitFields draft={draft} error={error} onChange={change} />
      {error !== null && !(error instanceof QuarryError && error.errors.length > 0) && <ErrorNotice error={error} />}
      <DialogActions>
        <Button disabled={isPending} onClick={onClose}>
          {cancel}
        </Button>
        <Button disabled={!canSave} isBusy={isPending} kind="primary" type="submit">
          {organization === undefined ? messages.create : messages.save}
        </Button>
      </DialogActions>
    </form>
  );
}

interface OrganizationLimitFieldsProps {
  readonly draft: OrganizationDraft;
  readonly error: Error | null;
  readonly onChange: (part: Partial<OrganizationDraft>) => void;
}

function OrganizationLimitFields({ draft, error, onChange }: OrganizationLimitFieldsProps): ReactNode {
  const messages = useMessages(organizationsMessages);
  const fields: readonly { readonly name: LimitName; readonly label: string; readonly hint: string }[] = [
    { name: 'agentQueriesPerMonth', label: messages.queries, hint: messages.noLimit },
    { name: 'storedTokens', label: messages.tokens, hint: messages.noLimit },
    { name: 'concurrentJobs', label: messages.jobs, hint: `${messages.jobsHint} ${messages.noLimit}` },
    { name: 'jobWeight', label: messages.weight, hint: messages.weightHint },
    { name: 'conversationRetentionDays', label: messages.retention, hint: messages.retentionHint },
  ];
  return (
    <div className="form-row">
      {fields.map(({ name, label, hint }) => (
        <NumberField
          error={findFieldError(error, `limits.${name}`) ?? findFieldError(error, name)}
          hint={hint}
          key={name}
          kind="whole"
          label={label}
          onChange={(value) => onChange({ [name]: value })}
          value={draft[name]}
        />
      ))}
    </div>
  );
}
