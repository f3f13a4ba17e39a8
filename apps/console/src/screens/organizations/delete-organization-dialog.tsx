import type { Organization } from '@quarry/client';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { useToasts } from '../../components/toasts.js';
import { useLastDefined } from '../../components/use-last-defined.js';
import { useMessages } from '../../language/language-context.js';
import { organizationsMessages } from './messages.js';
import { useDeleteOrganization } from './use-organizations.js';

interface DeleteOrganizationDialogProps {
  /** Undefined: the dialog is closed. */
  readonly organization: Organization | undefined;
  readonly onClose: () => void;
}

/** Asks for the name of the organization before it is deleted with its data. */
export function DeleteOrganizationDialog({ organization, onClose }: DeleteOrganizationDialogProps): ReactNode {
  const messages = useMessages(organizationsMessages);
  const { showToast } = useToasts();
  const { mutate, isPending, error, reset } = useDeleteOrganization();
  const name = useLastDefined(organization)?.name ?? '';
  const close = (): void => {
    reset();
    onClose();
  };
  const remove = (): void => {
    if (organization === undefined) return;
    mutate(organization, {
      onSuccess: () => {
        showToast({ text: messages.removed(name) });
        close();
      },
    });
  };
  return (
    <ConfirmDialog
      action={messages.removeTitle}
      error={error}
      isBusy={isPending}
      isOpen={organization !== undefined}
      onClose={close}
      onConfirm={remove}
      title={messages.removeTitle}
      typedName={name}
    >
      {messages.removeText(name)}
    </ConfirmDialog>
  );
}
