import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Catalogue } from '../language/define-messages.js';
import { useMessages } from '../language/language-context.js';
import { ConfirmDialog } from './confirm-dialog.js';
import { useToasts } from './toasts.js';
import { useLastDefined } from './use-last-defined.js';

export interface DeleteDialogProps<Item extends { readonly name: string }> {
  /** The item to delete. Undefined: the dialog is closed. */
  readonly item: Item | undefined;
  readonly deletion: UseMutationResult<void, Error, Item>;
  readonly catalogue: Catalogue<DeleteMessages>;
  /** True if the user must type the name of the item, because its deletion removes much data. */
  readonly mustTypeName?: boolean;
  readonly onClose: () => void;
}

/** The texts of a delete dialog, which the message catalogue of a screen contains. */
export interface DeleteMessages {
  readonly removeTitle: string;
  readonly removeText: (name: string) => string;
  readonly removed: (name: string) => string;
}

/** Asks for confirmation before an item of a list is deleted, and then shows a toast that reports the deletion. */
export function DeleteDialog<Item extends { readonly name: string }>(props: DeleteDialogProps<Item>): ReactNode {
  const { item, catalogue, mustTypeName = false, onClose } = props;
  const messages = useMessages(catalogue);
  const { mutate, isPending, error, reset } = props.deletion;
  const { showToast } = useToasts();
  const name = useLastDefined(item)?.name ?? '';
  const close = (): void => {
    reset();
    onClose();
  };
  const deleteItem = (): void => {
    if (item === undefined) return;
    mutate(item, {
      onSuccess: () => {
        showToast({ text: (language) => catalogue[language].removed(name) });
        close();
      },
    });
  };
  return (
    <ConfirmDialog
      action={messages.removeTitle}
      error={error}
      isBusy={isPending}
      isOpen={item !== undefined}
      onClose={close}
      onConfirm={deleteItem}
      title={messages.removeTitle}
      {...(mustTypeName && { typedName: name })}
    >
      {messages.removeText(name)}
    </ConfirmDialog>
  );
}
