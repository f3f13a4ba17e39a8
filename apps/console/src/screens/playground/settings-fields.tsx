import type { Datastore } from '@quarry/client';
import { useState, type ReactNode } from 'react';
import { ChoiceList } from '../../components/choice-list.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { NumberField } from '../../components/number-field.js';
import { TextField } from '../../components/text-field.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { playgroundMessages } from './messages.js';
import {
  countUsedFilters,
  isTopKText,
  parseCommaSeparatedList,
  splitListedIds,
  type SideSettings,
} from './side-settings.js';
import { useDatasourceChoices } from './use-datasource-choices.js';

export interface SettingsFieldsProps {
  readonly side: 'A' | 'B';
  readonly datastores: readonly Datastore[];
  readonly settings: SideSettings;
  readonly onChange: (settings: SideSettings) => void;
}

/** Shows the fields for the settings of one side of the playground: datastores, number of results and filters. */
export function SettingsFields({ side, datastores, settings, onChange }: SettingsFieldsProps): ReactNode {
  const messages = useMessages(playgroundMessages);
  const formats = useFormats();
  const filters = countUsedFilters(settings);
  const names = datastores.filter(({ id }) => settings.datastoreIds.includes(id)).map(({ name }) => name);
  return (
    <fieldset className="side-settings">
      <legend>
        <span className={`side-mark side-mark-${side.toLowerCase()}`}>{side}</span>
        <span className="visually-hidden">{messages.settings(side)}</span>
      </legend>
      <details className="disclosure">
        <summary>
          <span className="muted">{messages.datastores}</span>{' '}
          {names.length === 0 ? messages.needsDatastore : formats.list(names)}
        </summary>
        <ChoiceList
          chosen={settings.datastoreIds}
          items={datastores}
          label={messages.datastores}
          onChange={(datastoreIds) => onChange({ ...settings, datastoreIds, datasourceIds: [] })}
        />
      </details>
      <div className="top-k">
        <TextField
          error={isTopKText(settings.topK) ? undefined : messages.topKRange}
          inputMode="numeric"
          label={messages.topK}
          name="topK"
          onChange={(topK) => onChange({ ...settings, topK })}
          title={messages.topKHint}
          value={settings.topK}
        />
      </div>
      <details className="disclosure">
        <summary>
          <span className="muted">{messages.filters}</span>{' '}
          {filters > 0 && formats.plural(filters, { one: messages.filterCountOne, other: messages.filterCountOther })}
        </summary>
        <FilterFields datastores={datastores} onChange={onChange} settings={settings} />
      </details>
    </fieldset>
  );
}

type FilterFieldsProps = Pick<SettingsFieldsProps, 'settings' | 'datastores' | 'onChange'>;

function FilterFields({ settings, datastores, onChange }: FilterFieldsProps): ReactNode {
  const messages = useMessages(playgroundMessages);
  const { customIds, stockStatus, minPrice, maxPrice, datastoreIds, datasourceIds } = settings;
  const setPrice = (name: 'minPrice' | 'maxPrice') => (value: string) => onChange({ ...settings, [name]: value });
  return (
    <div className="filter-fields">
      <div className="field">
        <span className="field-label">{messages.datasources}</span>
        <div className="datasource-choices">
          {datastoreIds.map((id) => (
            <DatasourceChoices
              datastoreId={id}
              isOnlyList={datastoreIds.length === 1}
              key={id}
              label={datastores.find((datastore) => datastore.id === id)?.name ?? messages.datasources}
              onChange={(next) => onChange({ ...settings, datasourceIds: next })}
              selected={datasourceIds}
            />
          ))}
        </div>
      </div>
      <div className="form-row">
        <ListTextField
          label={messages.customIds}
          onChange={(next) => onChange({ ...settings, customIds: next })}
          values={customIds}
        />
        <ListTextField
          label={messages.stockStatus}
          onChange={(next) => onChange({ ...settings, stockStatus: next })}
          values={stockStatus}
        />
      </div>
      <div className="form-row">
        <NumberField kind="decimal" label={messages.minPrice} onChange={setPrice('minPrice')} value={minPrice} />
        <NumberField kind="decimal" label={messages.maxPrice} onChange={setPrice('maxPrice')} value={maxPrice} />
      </div>
    </div>
  );
}

interface ListTextFieldProps {
  readonly label: string;
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
}

/** Shows a field in which the user types several texts, separated by commas. */
function ListTextField({ label, values, onChange }: ListTextFieldProps): ReactNode {
  const messages = useMessages(playgroundMessages);
  const [text, setText] = useState(values.join(', '));
  // The field shows the text as typed, with spaces and a last comma, until another query changes the values.
  const isTyped = JSON.stringify(parseCommaSeparatedList(text)) === JSON.stringify(values);
  return (
    <TextField
      hint={messages.listHint}
      label={label}
      onChange={(next) => {
        setText(next);
        onChange(parseCommaSeparatedList(next));
      }}
      value={isTyped ? text : values.join(', ')}
    />
  );
}

interface DatasourceChoicesProps {
  readonly label: string;
  readonly datastoreId: string;
  /** True if no datasources of other datastores can be chosen. */
  readonly isOnlyList: boolean;
  /** The ids of the chosen datasources of all datastores. */
  readonly selected: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
}

function DatasourceChoices({ label, datastoreId, isOnlyList, selected, onChange }: DatasourceChoicesProps): ReactNode {
  const messages = useMessages(playgroundMessages);
  const { items, isPending, error, refetch, more } = useDatasourceChoices(datastoreId);
  if (error !== null && items.length === 0) return <ErrorNotice error={error} onRetry={refetch} />;
  if (!isPending && items.length === 0) return <p className="muted">{messages.noDatasources}</p>;
  // A chosen datasource that is not loaded may belong to this list.
  const canContainAll = isOnlyList || more.hasMore;
  const { listed, others } = canContainAll ? { listed: selected, others: [] } : splitListedIds(selected, items);
  return (
    <ChoiceList
      chosen={listed}
      items={items}
      label={label}
      more={more}
      onChange={(next) => onChange([...others, ...next])}
    />
  );
}
