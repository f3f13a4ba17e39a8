import type { Datasource } from '@quarry/client';
import { useState, type ReactNode } from 'react';
import type { Pages } from '../../api/use-pages.js';
import { Checkbox } from '../../components/checkbox.js';
import { VirtualList } from '../../components/virtual-list.js';
import { useMessages } from '../../language/language-context.js';
import { DatasourceRow } from './datasource-row.js';
import { DeleteDatasourcesDialog } from './delete-datasources-dialog.js';
import { datasourcesMessages } from './messages.js';
import { SelectionBar } from './selection-bar.js';

const ROW_HEIGHT = 54;

export interface DatasourceListProps {
  readonly datasources: readonly Datasource[];
  readonly more: Pages<Datasource>['more'];
}

/** Shows the datasources as rows that can be selected, and the actions on the selected ones. */
export function DatasourceList({ datasources, more }: DatasourceListProps): ReactNode {
  const messages = useMessages(datasourcesMessages);
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [deleted, setDeleted] = useState<readonly Datasource[]>([]);
  const selected = ids.size === 0 ? [] : datasources.filter(({ id }) => ids.has(id));
  const areAllSelected = selected.length > 0 && selected.length === datasources.length;
  const select = (id: string, isSelected: boolean): void => {
    const next = new Set(ids);
    if (isSelected) next.add(id);
    else next.delete(id);
    setIds(next);
  };
  const selectAll = (isSelected: boolean): void => {
    setIds(new Set(isSelected ? datasources.map(({ id }) => id) : []));
  };
  const clear = (): void => setIds(new Set());
  return (
    <div className="datasource-table">
      <SelectionBar
        hasMore={areAllSelected && more.hasMore}
        onClear={clear}
        onDelete={() => setDeleted(selected)}
        selected={selected}
      />
      {selected.length === 0 && <ListHead />}
      <div className="datasource-select-all">
        <Checkbox
          isChecked={areAllSelected}
          isLabelHidden
          isMixed={selected.length > 0 && !areAllSelected}
          label={messages.selectAll}
          onChange={selectAll}
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
            onDelete={() => setDeleted([datasource])}
            onSelect={(isSelected) => select(datasource.id, isSelected)}
          />
        )}
        rowHeight={ROW_HEIGHT}
        rows={datasources}
      />
      <DeleteDatasourcesDialog datasources={deleted} onClose={() => setDeleted([])} onDeleted={clear} />
    </div>
  );
}

function ListHead(): ReactNode {
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
