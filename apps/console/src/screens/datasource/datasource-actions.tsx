import type { Datasource } from '@quarry/client';
import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { copyText } from '../../components/copy-text.js';
import {
  CopyIcon,
  DownloadIcon,
  MoreIcon,
  PreviewIcon,
  RetryIcon,
  StopIcon,
  TrashIcon,
} from '../../components/icons.js';
import { Menu } from '../../components/menu.js';
import { useToasts } from '../../components/toasts.js';
import { useMessages } from '../../language/language-context.js';
import { getServerTexts } from '../../language/server-texts.js';
import { CancelRunsDialog } from '../datasources/cancel-runs-dialog.js';
import { hasOpenRun } from '../datasources/use-datasource-actions.js';
import { datasourceMessages } from './messages.js';
import { useStartSync, type SyncOptions } from './use-datasource-details.js';

export interface DatasourceActionsProps {
  readonly datasource: Datasource;
  readonly onDelete: () => void;
}

/** Shows the button that syncs a datasource or cancels its run, and a menu with the other actions. */
export function DatasourceActions({ datasource, onDelete }: DatasourceActionsProps): ReactNode {
  const messages = useMessages(datasourceMessages);
  const { showToast } = useToasts();
  const sync = useStartSync(datasource.id);
  const [isCancelling, setIsCancelling] = useState(false);
  const startSync = (options: SyncOptions): void => {
    sync.mutate(options, {
      onSuccess: () =>
        showToast({
          text: (language) => datasourceMessages[language][options.dryRun === true ? 'dryRunStarted' : 'started'],
        }),
      onError: (error) =>
        showToast({ text: (language) => getServerTexts(language).describeProblem(error), kind: 'danger' }),
    });
  };
  const isListing = datasource.type === 'item_listing';
  const isOpen = hasOpenRun(datasource);
  const copyId = async (): Promise<void> => {
    if (await copyText(datasource.id)) showToast({ text: (language) => datasourceMessages[language].idCopied });
  };
  const listingActions = [
    // The dry run is a full sync, because only a sync that reads all items finds removed items.
    {
      label: messages.dryRun,
      icon: PreviewIcon,
      isDisabled: isOpen,
      onSelect: () => startSync({ dryRun: true, full: true }),
    },
    { label: messages.fullSync, icon: RetryIcon, onSelect: () => startSync({ full: true }) },
  ];
  return (
    <>
      {(datasource.type === 'file' || datasource.type === 'document') && <OriginalFileLink id={datasource.id} />}
      {isOpen ? (
        <Button icon={StopIcon} onClick={() => setIsCancelling(true)}>
          {messages.cancelRun}
        </Button>
      ) : (
        <Button icon={RetryIcon} isBusy={sync.isPending} onClick={() => startSync({})}>
          {messages.sync}
        </Button>
      )}
      <Menu
        align="end"
        groups={[
          ...(isListing ? [{ actions: listingActions }] : []),
          { actions: [{ label: messages.copyId, icon: CopyIcon, onSelect: () => void copyId() }] },
          { actions: [{ label: messages.remove, icon: TrashIcon, isDangerous: true, onSelect: onDelete }] },
        ]}
        trigger={
          <Button aria-label={messages.more} className="icon-button">
            <MoreIcon />
          </Button>
        }
      />
      <CancelRunsDialog datasources={isCancelling ? [datasource] : []} onClose={() => setIsCancelling(false)} />
    </>
  );
}

/**
 * Shows a link that opens the uploaded file or text. The link needs no API key, because the browser sends the session
 * cookie.
 */
function OriginalFileLink({ id }: { readonly id: string }): ReactNode {
  const messages = useMessages(datasourceMessages);
  const address = new URL(`api/datasources/${encodeURIComponent(id)}/original`, document.baseURI);
  return (
    <a
      aria-label={messages.original}
      className="button button-secondary"
      href={address.href}
      rel="noreferrer"
      target="_blank"
      title={messages.original}
    >
      <DownloadIcon />
      <span className="button-label-wide">{messages.original}</span>
    </a>
  );
}
