import type { Datasource } from '@quarry/client';
import type { ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { Checkbox } from '../../components/checkbox.js';
import { MoreIcon, RetryIcon, StopIcon, TrashIcon } from '../../components/icons.js';
import { Menu } from '../../components/menu.js';
import { FormattedNumber } from '../../components/formatted-number.js';
import { PathName } from '../../components/path-name.js';
import { RelativeTime } from '../../components/relative-time.js';
import { useMessages } from '../../language/language-context.js';
import { ScreenLink } from '../../routing/screen-link.js';
import { RunStatus, TYPE_ICONS } from './datasource-status.js';
import { datasourcesMessages } from './messages.js';
import { DatasourceRowNote } from './datasource-row-note.js';
import { hasOpenRun, useDatasourceActions } from './use-datasource-actions.js';

export interface DatasourceRowProps {
  readonly datasource: Datasource;
  readonly isSelected: boolean;
  readonly onSelect: (isSelected: boolean, hasShift: boolean) => void;
  readonly onCancel: () => void;
  readonly onDelete: () => void;
}

/** Shows a datasource with its status, and its progress or the reason of its failure. */
export function DatasourceRow({ datasource, isSelected, onSelect, ...actions }: DatasourceRowProps): ReactNode {
  const messages = useMessages(datasourcesMessages);
  const { id, name, type, status, content, updatedAt } = datasource;
  const TypeIcon = TYPE_ICONS[type];
  return (
    <div className={isSelected ? 'datasource-row datasource-row-selected' : 'datasource-row'}>
      <Checkbox isChecked={isSelected} isLabelHidden label={messages.selectOne(name)} onChange={onSelect} />
      <span className="datasource-icon">
        <TypeIcon />
      </span>
      <div className="datasource-name">
        <ScreenLink className="truncate" parameters={{ datasourceId: id }} title={name} to="datasource">
          <PathName name={name} />
        </ScreenLink>
        <DatasourceRowNote datasource={datasource} />
      </div>
      <RunStatus status={status} />
      <span className="datasource-number">
        <FormattedNumber value={content.documents} />
      </span>
      <span className="datasource-time muted">
        <RelativeTime value={updatedAt} />
      </span>
      <RowMenu {...actions} datasource={datasource} />
    </div>
  );
}

type RowMenuProps = Pick<DatasourceRowProps, 'datasource' | 'onCancel' | 'onDelete'>;

function RowMenu({ datasource, onCancel, onDelete }: RowMenuProps): ReactNode {
  const messages = useMessages(datasourcesMessages);
  const { mutate } = useDatasourceActions();
  const cancel = {
    label: messages.cancelRun,
    icon: StopIcon,
    isDisabled: !hasOpenRun(datasource),
    onSelect: onCancel,
  };
  const sync = {
    label: messages.sync,
    icon: RetryIcon,
    onSelect: () => mutate({ kind: 'sync', ids: [datasource.id] }),
  };
  return (
    <Menu
      align="end"
      groups={[
        { actions: [sync, cancel] },
        { actions: [{ label: messages.remove, icon: TrashIcon, isDangerous: true, onSelect: onDelete }] },
      ]}
      trigger={
        <Button
          aria-label={messages.actionsFor(datasource.name)}
          className="icon-button icon-button-small"
          kind="quiet"
        >
          <MoreIcon />
        </Button>
      }
    />
  );
}
