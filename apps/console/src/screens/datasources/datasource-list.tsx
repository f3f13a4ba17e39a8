import type { Datasource } from '@quarry/client';
import { useState, type ReactNode } from 'react';
import type { Pages } from '../../api/use-pages.js';
import { Checkbox } from '../../components/checkbox.js';
import { VirtualList } from '../../components/virtual-list.js';
import { useMessages } from '../../language/language-context.js';
import { CancelRunsDialog } from './cancel-runs-dialog.js';
import { DatasourceRow } from './datasource-row.js';
import { DeleteDatasourcesDialog } from './delete-datasources-dialog.js';
import { datasourcesMessages } from './messages.js';
import { SelectionBar } from './selection-bar.js';
import { useSelection } from './use-selection.js';

const ROW_HEIGHT = 54;
const NONE: ReadonlySet<string> = new Set();

export interface DatasourceListProps {
  readonly datasources: readonly Datasource[];
  readonly more: Pages<Datasource>['more'];
}

/** Shows the datasources as rows that can be selected, and the actions on the selected rows. */
export function DatasourceList({ datasources, more }: DatasourceListProps): ReactNode {
  const messages = useMessages(datasourcesMessages);
  const selection = useSelection(datasources.map(({ id }) => id));
  const { ids } = selection;
  const [deleted, setDeleted] = useState<readonly Datasource[]>([]);
  const [cancelledIds, setCancelledIds] = useState<ReadonlySet<string>>(NONE);
  const selected = ids.size === 0 ? [] : datasources.filter(({ id }) => ids.has(id));
  const areAllSelected = selected.length > 0 && selected.length === datasources.length;
  return (
    <div className="datasource-table">
      <SelectionBar
        hasMore={areAllSelected && more.hasMore}
        onCancel={() => setCancelledIds(ids)}
        onClear={() => selection.replace([])}
        onDelete={() => setDeleted(selected)}
        selected={selected}
      />
      {selected.length === 0 && <DatasourceListHead />}
      <div className="datasource-select-all">
        <Checkbox
          isChecked={areAllSelected}
          isLabelHidden
          isMixed={selected.length > 0 && !areAllSelected}
          label={messages.selectAll}
          onChange={(isSelected) => selection.replace(isSelected ? datasources.map(({ id }) => id) : [])}
        />
      </div>
      <VirtualList
        getKey={({ id }) => id}
        label={messages.list}
        more={more}
        renderRow={(datasource) => (
          <DatasourceRow
            datasource={datasource}
            isSelected={ids.has(datasource.id)}
            onCancel={() => setCancelledIds(new Set([datasource.id]))}
            onDelete={() => setDeleted([datasource])}
            onSelect={(isSelected, hasShift) => selection.select(datasource.id, isSelected, hasShift)}
          />
        )}
        rowHeight={ROW_HEIGHT}
        rows={datasources}
      />
      <CancelRunsDialog
        datasources={cancelledIds.size === 0 ? [] : datasources.filter(({ id }) => cancelledIds.has(id))}
        onClose={() => setCancelledIds(NONE)}
      />
      <DeleteDatasourcesDialog
        datasources={deleted}
        onClose={() => setDeleted([])}
        onDeleted={(deletedIds) => selection.replace([...ids].filter((id) => !deletedIds.includes(id)))}
      />
    </div>
  );
}

function DatasourceListHead(): ReactNode {
  const messages = useMessages(datasourcesMessages);
  return (
    <div aria-hidden="true" className="datasource-row datasource-head">
      <span />
      <span />
      <span>{messages.name}</span>
      <span>{messages.status}</span>
      <span className="datasource-number">{messages.documents}</span>
      <span className="datasource-time">{messages.updated}</span>
      <span />
    </div>
  );
}
