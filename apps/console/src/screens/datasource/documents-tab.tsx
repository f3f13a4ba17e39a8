import type { DatasourceDocument } from '@quarry/client';
import type { ReactNode } from 'react';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { DocumentIcon } from '../../components/icons.js';
import { Select } from '../../components/select.js';
import { Skeleton } from '../../components/skeleton.js';
import { StatusBadge, type StatusTone } from '../../components/status-badge.js';
import { VirtualList } from '../../components/virtual-list.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { useServerTexts } from '../../language/server-texts.js';
import { useSearchParameter } from '../../routing/screen-link.js';
import { statusMessages } from '../datasources/status-messages.js';
import { useUnreadPagesNote } from '../document/use-unread-pages-note.js';
import { DocumentLink } from './document-link.js';
import { datasourceMessages } from './messages.js';
import { WebAddressLink } from './datasource-overview.js';
import { useDatasourceDocuments, type Outcome } from './use-datasource-details.js';

const OUTCOMES = ['indexed', 'unchanged', 'failed', 'skipped', 'removed'] as const satisfies readonly Outcome[];
const TONES: Readonly<Record<Outcome, StatusTone>> = {
  indexed: 'success',
  unchanged: 'neutral',
  failed: 'danger',
  skipped: 'warning',
  removed: 'neutral',
};
const ROW_HEIGHT = 52;

/**
 * Shows the documents of a datasource, each with its outcome in the latest run, and the reason if it failed or was
 * skipped.
 */
export function DocumentsTab({ datasourceId }: { readonly datasourceId: string }): ReactNode {
  const messages = useMessages(datasourceMessages);
  const words = useMessages(statusMessages);
  const [value, setValue] = useSearchParameter('outcome');
  const outcome = OUTCOMES.find((known) => known === value);
  const { items, isPending, error, refetch, more } = useDatasourceDocuments(datasourceId, outcome);
  return (
    <div className="documents">
      <div className="documents-filter">
        <Select
          isLabelHidden
          label={messages.outcome}
          onChange={(next) => setValue(next === '' ? undefined : next)}
          options={[
            { value: '', label: messages.everyOutcome },
            ...OUTCOMES.map((known) => ({ value: known, label: words[known] })),
          ]}
          value={outcome ?? ''}
        />
      </div>
      {error !== null && <ErrorNotice error={error} onRetry={refetch} />}
      {isPending && <Skeleton lines={4} shape="rows" />}
      {!isPending && error === null && items.length === 0 && (
        <EmptyState icon={DocumentIcon} title={outcome === undefined ? messages.nothingYet : messages.noneWithOutcome}>
          {messages.nothingYetText}
        </EmptyState>
      )}
      {items.length > 0 && (
        <VirtualList
          getKey={({ documentKey }) => documentKey}
          label={messages.documents}
          more={more}
          renderRow={(document) => <DocumentRow datasourceId={datasourceId} document={document} />}
          rowHeight={ROW_HEIGHT}
          rows={items}
        />
      )}
    </div>
  );
}

interface DocumentRowProps {
  readonly datasourceId: string;
  readonly document: DatasourceDocument;
}

function DocumentRow({ datasourceId, document }: DocumentRowProps): ReactNode {
  const messages = useMessages(datasourceMessages);
  const words = useMessages(statusMessages);
  const { describeReason } = useServerTexts();
  const formats = useFormats();
  const { documentKey, name, source, outcome, code, message, fragments, pages } = document;
  const unreadNote = useUnreadPagesNote(pages);
  const reason = message === null ? undefined : describeReason({ code, message });
  const note = reason ?? unreadNote ?? (name === null || name === documentKey ? undefined : documentKey);
  return (
    <div className="document-row">
      <div className="document-name">
        <DocumentLink datasourceId={datasourceId} document={document} />
        {note !== undefined && (
          <span className="datasource-note truncate" title={message ?? note}>
            {note} {code !== null && <code>{code}</code>}
          </span>
        )}
      </div>
      {source !== null && <WebAddressLink address={source}>{messages.openSource}</WebAddressLink>}
      <span className="muted numbers">
        {formats.plural(fragments, { one: messages.passageOne, other: messages.passageOther })}
      </span>
      {outcome === null ? (
        <StatusBadge isActive tone="info">
          {messages.pending}
        </StatusBadge>
      ) : (
        <StatusBadge tone={TONES[outcome]}>{words[outcome]}</StatusBadge>
      )}
    </div>
  );
}
