import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { explainError } from '../../components/explain-error.js';
import { componentMessages } from '../../components/messages.js';
import { VirtualList } from '../../components/virtual-list.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { useServerTexts } from '../../language/server-texts.js';
import type { Failure } from './run-for-each-item.js';
import { datasourcesMessages } from './messages.js';
import { useDeleteDatasources, type DeletedDatasource, type DeletionEvents } from './use-delete-datasources.js';

export interface DeleteDatasourcesDialogProps extends DeletionEvents {
  /** The datasources to delete. Empty: the dialog is closed. */
  readonly datasources: readonly DeletedDatasource[];
}

/** Minimum number of datasources whose deletion the user must confirm by typing their number. */
const TYPED_FROM = 10;

/** Maximum number of datasources whose names the dialog shows. */
const MAX_NAMES = 5;

/**
 * Asks for confirmation before datasources are deleted, and shows the progress of the deletion. Then lists the
 * datasources that could not be deleted, each with the reason.
 */
export function DeleteDatasourcesDialog({ datasources, onClose, onDeleted }: DeleteDatasourcesDialogProps): ReactNode {
  const messages = useMessages(datasourcesMessages);
  const formats = useFormats();
  const deletion = useDeleteDatasources({ onClose, onDeleted });
  const { remove, close, isPending, error, ended, failures } = deletion;
  if (failures.length > 0) {
    return (
      <ConfirmDialog
        action={messages.removeAgain}
        dismissal={messages.close}
        isBusy={false}
        isOpen
        onClose={close}
        onConfirm={() => remove(failures.map(({ item }) => item))}
        title={formats.plural(failures.length, { one: messages.notRemovedOne, other: messages.notRemovedOther })}
      >
        <FailureList failures={failures} />
      </ConfirmDialog>
    );
  }
  const shown = isPending ? deletion.datasources : datasources;
  const [first] = shown;
  const isOne = shown.length === 1;
  const count = formats.number(shown.length);
  const title =
    isOne && first !== undefined
      ? messages.removeOne(first.name)
      : formats.plural(shown.length, { one: messages.removeManyOne, other: messages.removeManyOther });
  return (
    <ConfirmDialog
      action={isOne ? messages.remove : title}
      error={error}
      isBusy={isPending}
      isOpen={first !== undefined}
      onClose={close}
      onConfirm={() => remove(datasources)}
      title={title}
      {...(isPending && { dismissal: messages.stop })}
      {...(!isPending && shown.length >= TYPED_FROM && { typedName: count })}
    >
      {isOne ? messages.removeOneText : messages.removeText}
      {!isOne && <NameList datasources={shown} />}
      {isPending && !isOne && <DeletionProgress ended={ended} total={shown.length} />}
    </ConfirmDialog>
  );
}

/** Shows the names of the first datasources, and how many other datasources there are. */
function NameList({ datasources }: Pick<DeleteDatasourcesDialogProps, 'datasources'>): ReactNode {
  const messages = useMessages(datasourcesMessages);
  const formats = useFormats();
  const others = datasources.length - MAX_NAMES;
  return (
    <ul className="deletion-names">
      {datasources.slice(0, MAX_NAMES).map(({ id, name }) => (
        <li className="truncate" key={id}>
          {name}
        </li>
      ))}
      {others > 0 && <li>{formats.plural(others, { one: messages.othersOne, other: messages.othersOther })}</li>}
    </ul>
  );
}

interface DeletionProgressProps {
  readonly ended: number;
  readonly total: number;
}

function DeletionProgress({ ended, total }: DeletionProgressProps): ReactNode {
  const messages = useMessages(datasourcesMessages);
  const formats = useFormats();
  const text = messages.removing(formats.number(ended), formats.number(total));
  return (
    <div className="deletion-progress numbers">
      {text}
      <progress aria-label={text} max={total} value={ended} />
    </div>
  );
}

interface FailureListProps {
  readonly failures: readonly Failure<DeletedDatasource>[];
}

/** Shows the datasources that could not be deleted, each with the reason. */
function FailureList({ failures }: FailureListProps): ReactNode {
  const messages = useMessages(datasourcesMessages);
  const texts = useMessages(componentMessages);
  const { describeProblem } = useServerTexts();
  const describeFailure = (error: unknown): string => {
    const { heading, detail } = explainError(error, texts, describeProblem);
    return heading === texts.unexpectedTitle ? detail : heading;
  };
  return (
    <>
      {messages.notRemovedText}
      <div className="deletion-failures">
        <VirtualList
          getKey={({ item }) => item.id}
          label={messages.list}
          renderRow={({ item, error }) => (
            <div className="deletion-failure">
              <strong className="truncate">{item.name}</strong>
              {describeFailure(error)}
            </div>
          )}
          rowHeight={52}
          rows={failures}
        />
      </div>
    </>
  );
}
