import type { Datasource } from '@quarry/client';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { datasourcesMessages } from './messages.js';
import { useDatasourceActions } from './use-datasource-actions.js';

export interface DeleteDatasourcesDialogProps {
  /** Empty: the dialog is closed. */
  readonly datasources: readonly Pick<Datasource, 'id' | 'name'>[];
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Minimum number of datasources for which the reader must type their number to confirm. */
const TYPED_FROM = 10;

/** Asks for confirmation before one or many datasources are deleted. Shows their number. */
export function DeleteDatasourcesDialog({ datasources, onClose, onDeleted }: DeleteDatasourcesDialogProps): ReactNode {
  const messages = useMessages(datasourcesMessages);
  const formats = useFormats();
  const { mutate, isPending, error } = useDatasourceActions();
  const [first] = datasources;
  const isOne = datasources.length === 1;
  const title =
    isOne && first !== undefined
      ? messages.removeOne(first.name)
      : messages.removeMany(formats.number(datasources.length));
  return (
    <ConfirmDialog
      action={isOne ? messages.remove : title}
      error={error}
      isBusy={isPending}
      isOpen={first !== undefined}
      onClose={onClose}
      onConfirm={() => {
        mutate(
          { kind: 'remove', ids: datasources.map(({ id }) => id) },
          {
            onSuccess: () => {
              onDeleted();
              onClose();
            },
          },
        );
      }}
      title={title}
      {...(datasources.length < TYPED_FROM ? {} : { typedName: formats.number(datasources.length) })}
    >
      {isOne ? messages.removeOneText : messages.removeText}
    </ConfirmDialog>
  );
}
