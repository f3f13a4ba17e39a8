import type { Datasource } from '@quarry/client';
import { useEffect, useState, type ReactNode } from 'react';
import { Select } from '../../components/select.js';
import { TextField } from '../../components/text-field.js';
import { useMessages } from '../../language/language-context.js';
import { useServerTexts } from '../../language/server-texts.js';
import { useSearchParameter } from '../../routing/screen-link.js';
import type { DatasourceFilter, DatasourceQuery } from './merge-datasource-events.js';
import { listFailureReasons } from './list-failure-reasons.js';
import { datasourcesMessages } from './messages.js';
import { STATUSES, statusMessages, TYPES } from './status-messages.js';

/** Delay between the last keystroke in the name field and the search, in milliseconds. */
const TYPING_MS = 250;

/** Returns the filter of the list of datasources from the address of the page. */
export function useDatasourceFilter(): DatasourceFilter {
  const [status] = useSearchParameter('status');
  const [type] = useSearchParameter('type');
  const [name] = useSearchParameter('name');
  const [errorCode] = useSearchParameter('reason');
  return {
    status: STATUSES.find((known) => known === status),
    type: TYPES.find((known) => known === type),
    name,
    errorCode,
  };
}

/**
 * Returns the order of the list of datasources from the address of the page, and a function that changes it. Undefined
 * means newest first.
 */
export function useDatasourceOrder(): readonly [DatasourceQuery['order'], (order: DatasourceQuery['order']) => void] {
  const [order, setOrder] = useSearchParameter('order');
  return [order === 'asc' ? order : undefined, setOrder];
}

export interface DatasourceFiltersProps {
  /** The loaded datasources, whose failure reasons are offered as filters. */
  readonly datasources: readonly Datasource[];
}

/**
 * Shows the fields for the filters and the order of the list of datasources. The address of the page contains their
 * values.
 */
export function DatasourceFilters({ datasources }: DatasourceFiltersProps): ReactNode {
  const messages = useMessages(datasourcesMessages);
  const words = useMessages(statusMessages);
  const [status, setStatus] = useSearchParameter('status');
  const [type, setType] = useSearchParameter('type');
  const [order, setOrder] = useDatasourceOrder();
  const createAllOption = (label: string): { readonly value: string; readonly label: string } => ({ value: '', label });
  return (
    <div className="datasource-filters" role="search">
      <NameFilter />
      <Select
        isLabelHidden
        label={messages.status}
        onChange={(value) => setStatus(value === '' ? undefined : value)}
        options={[createAllOption(messages.everyStatus), ...STATUSES.map((value) => ({ value, label: words[value] }))]}
        value={status ?? ''}
      />
      <Select
        isLabelHidden
        label={messages.type}
        onChange={(value) => setType(value === '' ? undefined : value)}
        options={[createAllOption(messages.everyType), ...TYPES.map((value) => ({ value, label: words[value] }))]}
        value={type ?? ''}
      />
      <ReasonFilter datasources={datasources} />
      <Select
        isLabelHidden
        label={messages.order}
        onChange={(value) => setOrder(value === 'asc' ? value : undefined)}
        options={[
          { value: 'desc', label: messages.newestFirst },
          { value: 'asc', label: messages.oldestFirst },
        ]}
        value={order ?? 'desc'}
      />
    </div>
  );
}

function NameFilter(): ReactNode {
  const messages = useMessages(datasourcesMessages);
  const [name, setName] = useSearchParameter('name');
  const [typed, setTyped] = useState(name ?? '');
  const [known, setKnown] = useState(name);
  const [sent, setSent] = useState(name);
  if (name !== known) {
    setKnown(name);
    // Only links and buttons that change the address update the text of the field. Changes of the address by the field
    // itself must not replace text that was typed later.
    if (name !== sent) {
      setSent(name);
      setTyped(name ?? '');
    }
  }
  useEffect(() => {
    const next = typed.trim();
    if (next === (name ?? '')) return undefined;
    const timer = setTimeout(() => {
      const value = next === '' ? undefined : next;
      setSent(value);
      setName(value);
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- a change of the address must not restart the timer
  }, [typed]);
  return (
    <TextField
      isLabelHidden
      label={messages.search}
      maxLength={200}
      onChange={setTyped}
      placeholder={messages.search}
      type="search"
      value={typed}
    />
  );
}

function ReasonFilter({ datasources }: DatasourceFiltersProps): ReactNode {
  const messages = useMessages(datasourcesMessages);
  const [reason, setReason] = useSearchParameter('reason');
  const { describeReason } = useServerTexts();
  const reasons = listFailureReasons(datasources, reason);
  if (reasons.length === 0) return null;
  const options = reasons.map(({ code, message }) => ({ value: code, label: describeReason({ code, message }) }));
  return (
    <Select
      isLabelHidden
      label={messages.reason}
      onChange={(value) => setReason(value === '' ? undefined : value)}
      options={[{ value: '', label: messages.everyReason }, ...options]}
      value={reason ?? ''}
    />
  );
}
