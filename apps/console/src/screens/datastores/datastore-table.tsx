import type { Datastore } from '@quarry/client';
import type { ReactNode } from 'react';
import type { Pages } from '../../api/use-pages.js';
import { Button } from '../../components/button.js';
import { copyText } from '../../components/copy-text.js';
import { CopyIcon, EditIcon, MoreIcon, TrashIcon } from '../../components/icons.js';
import { Menu } from '../../components/menu.js';
import { Table } from '../../components/table.js';
import { RelativeTime } from '../../components/relative-time.js';
import { useToasts } from '../../components/toasts.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { ScreenLink } from '../../routing/screen-link.js';
import type { DatastoreAction } from './datastore-action.js';
import { ExpiryBadge } from './expiry.js';
import { datastoresMessages } from './messages.js';

interface DatastoreTableProps {
  readonly datastores: Pages<Datastore>;
  readonly onAction: (action: DatastoreAction) => void;
}

/** Shows the datastores as rows with their actions. */
export function DatastoreTable({ datastores, onAction }: DatastoreTableProps): ReactNode {
  const messages = useMessages(datastoresMessages);
  return (
    <Table
      columns={[
        { key: 'name', title: messages.name, kind: 'main', render: (datastore) => <NameCell {...datastore} /> },
        {
          key: 'embedding',
          title: messages.embedding,
          render: ({ embedding }) => (
            <span
              className="muted"
              title={embedding === null ? messages.lexicalHint : messages.denseHint(embedding.model)}
            >
              {embedding === null ? messages.lexical : messages.dense}
            </span>
          ),
        },
        {
          key: 'splitting',
          isSecondary: true,
          title: messages.passageLength,
          kind: 'number',
          render: ({ splitting }) => <PassageLength tokens={splitting.maxTokens} />,
        },
        {
          key: 'updated',
          isSecondary: true,
          title: messages.updated,
          render: ({ updatedAt }) => <RelativeTime value={updatedAt} />,
        },
        {
          key: 'actions',
          title: messages.actions,
          kind: 'actions',
          render: (datastore) => <RowMenu datastore={datastore} onAction={onAction} />,
        },
      ]}
      getKey={({ id }) => id}
      label={messages.title}
      more={datastores.more}
      rows={datastores.items}
    />
  );
}

function PassageLength({ tokens }: { readonly tokens: number }): ReactNode {
  const messages = useMessages(datastoresMessages);
  const formats = useFormats();
  return (
    <span className="numbers" title={messages.passageHint}>
      {formats.plural(tokens, { one: messages.tokensOne, other: messages.tokensOther })}
    </span>
  );
}

function NameCell({ id, name, description, expiry }: Datastore): ReactNode {
  return (
    <>
      <ScreenLink className="truncate" parameters={{ datastoreId: id }} to="datastore">
        {name}
      </ScreenLink>{' '}
      <ExpiryBadge expiry={expiry} />
      {description !== null && description !== '' && <div className="cell-note">{description}</div>}
    </>
  );
}

interface RowMenuProps {
  readonly datastore: Datastore;
  readonly onAction: (action: DatastoreAction) => void;
}

function RowMenu({ datastore, onAction }: RowMenuProps): ReactNode {
  const messages = useMessages(datastoresMessages);
  const { showToast } = useToasts();
  const copyId = async (): Promise<void> => {
    if (await copyText(datastore.id)) showToast({ text: (language) => datastoresMessages[language].idCopied });
  };
  const edit = (): void => {
    onAction({ kind: 'edit', datastore });
  };
  const remove = (): void => {
    onAction({ kind: 'delete', datastore });
  };
  return (
    <Menu
      align="end"
      groups={[
        {
          actions: [
            { label: messages.edit, icon: EditIcon, onSelect: edit },
            { label: messages.copyId, icon: CopyIcon, onSelect: () => void copyId() },
          ],
        },
        { actions: [{ label: messages.remove, icon: TrashIcon, isDangerous: true, onSelect: remove }] },
      ]}
      trigger={
        <Button aria-label={messages.actionsFor(datastore.name)} className="icon-button" kind="quiet">
          <MoreIcon />
        </Button>
      }
    />
  );
}
