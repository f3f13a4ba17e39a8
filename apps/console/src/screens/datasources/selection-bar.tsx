import type { Datasource } from '@quarry/client';
import type { ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { CloseIcon, RetryIcon, StopIcon, TrashIcon } from '../../components/icons.js';
import { IconButton } from '../../components/icon-button.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { datasourcesMessages } from './messages.js';
import { hasOpenRun, useDatasourceActions } from './use-datasource-actions.js';

export interface SelectionBarProps {
  readonly selected: readonly Datasource[];
  /** True if all loaded datasources are selected, but the list has further datasources that are not loaded yet. */
  readonly hasMore: boolean;
  readonly onClear: () => void;
  readonly onCancel: () => void;
  readonly onDelete: () => void;
}

/** Shows the actions on the selected datasources. */
export function SelectionBar({ selected, hasMore, onClear, onCancel, onDelete }: SelectionBarProps): ReactNode {
  const messages = useMessages(datasourcesMessages);
  const formats = useFormats();
  const { mutate, isPending } = useDatasourceActions();
  if (selected.length === 0) return null;
  return (
    <div aria-label={messages.selected(formats.number(selected.length))} className="selection-bar" role="toolbar">
      <strong className="numbers">{messages.selected(formats.number(selected.length))}</strong>
      <span className="selection-note muted truncate">{hasMore && messages.onlyLoaded}</span>
      <Button
        icon={RetryIcon}
        isBusy={isPending}
        onClick={() => mutate({ kind: 'sync', ids: selected.map(({ id }) => id) })}
      >
        {messages.sync}
      </Button>
      <Button disabled={!selected.some(hasOpenRun)} icon={StopIcon} onClick={onCancel}>
        {messages.cancelRun}
      </Button>
      <Button icon={TrashIcon} onClick={onDelete}>
        {messages.remove}
      </Button>
      <IconButton icon={CloseIcon} label={messages.clear} onClick={onClear} />
    </div>
  );
}
