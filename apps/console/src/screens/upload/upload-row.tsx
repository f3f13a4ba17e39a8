import { QuarryError, type Datasource } from '@quarry/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useClient } from '../../api/client-context.js';
import { IconButton } from '../../components/icon-button.js';
import { CloseIcon, DocumentIcon, RetryIcon } from '../../components/icons.js';
import { FormattedBytes } from '../../components/formatted-number.js';
import { PathName } from '../../components/path-name.js';
import { StatusBadge } from '../../components/status-badge.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { useServerTexts } from '../../language/server-texts.js';
import { ScreenLink } from '../../routing/screen-link.js';
import { RunStatus } from '../datasources/datasource-status.js';
import { getDatasourceKey } from '../datasources/use-datasources.js';
import { hasOpenRun } from '../datasources/use-datasource-actions.js';
import { uploadMessages } from './messages.js';
import { canRetryUpload, hasReplacedFile, isInProgress, type Upload } from './upload-queue.js';

/**
 * Interval at which an uploaded datasource is loaded again until its run ends, in milliseconds. Live events do not
 * suffice: the event at the end of the run is ignored if it arrives before the response to the upload.
 */
const REFRESH_MS = 3_000;

export interface UploadRowProps {
  readonly upload: Upload;
  /** True if a later upload has replaced the file. Default: false. */
  readonly isReplaced?: boolean;
  readonly onRetry: () => void;
  readonly onCancel: () => void;
  readonly onRemove: () => void;
}

/**
 * Shows an uploaded file with its progress, afterwards with the status of its datasource or the reason of the refusal.
 */
export function UploadRow({ upload, isReplaced = false, ...actions }: UploadRowProps): ReactNode {
  const { file, name, datasource } = upload;
  return (
    <div className="upload-row">
      <DocumentIcon />
      <div className="upload-name">
        {datasource === undefined ? (
          <span className="truncate" title={name}>
            <PathName name={name} />
          </span>
        ) : (
          <ScreenLink className="truncate" parameters={{ datasourceId: datasource.id }} title={name} to="datasource">
            <PathName name={name} />
          </ScreenLink>
        )}
        <UploadNote isReplaced={isReplaced} upload={upload} />
      </div>
      <span className="upload-size muted">
        <FormattedBytes value={file.size} />
      </span>
      <UploadState isReplaced={isReplaced} upload={upload} />
      <span className="upload-buttons">
        <UploadButtons {...actions} upload={upload} />
      </span>
    </div>
  );
}

/**
 * Shows the buttons for an upload: retry if `canRetryUpload` returns true, and cancel before it ends. Shows remove if it
 * was refused and cannot be retried.
 */
function UploadButtons({ upload, onRetry, onCancel, onRemove }: Omit<UploadRowProps, 'isReplaced'>): ReactNode {
  const messages = useMessages(uploadMessages);
  const { name, state } = upload;
  const canRetry = canRetryUpload(upload);
  return (
    <>
      {canRetry && <IconButton icon={RetryIcon} isSmall label={messages.retry(name)} onClick={onRetry} />}
      {isInProgress(upload) && <IconButton icon={CloseIcon} isSmall label={messages.cancel(name)} onClick={onCancel} />}
      {state === 'refused' && !canRetry && (
        <IconButton icon={CloseIcon} isSmall label={messages.remove(name)} onClick={onRemove} />
      )}
    </>
  );
}

type UploadOutcomeProps = Required<Pick<UploadRowProps, 'upload' | 'isReplaced'>>;

function UploadNote({ upload, isReplaced }: UploadOutcomeProps): ReactNode {
  const messages = useMessages(uploadMessages);
  const { describeProblem } = useServerTexts();
  const { state, error, share, name, datasource } = upload;
  if (state === 'sending') return <progress aria-label={messages.progress(name)} max={1} value={share} />;
  if (state === 'unsent') return <span className="upload-note truncate">{messages.unreachable}</span>;
  if (state === 'refused') {
    const reason = describeProblem(error);
    // The API's text lists all supported media types, so the console shows a shorter text.
    const isTypeRefused = error instanceof QuarryError && error.status === 415;
    return (
      <span className="upload-refused truncate" title={reason}>
        {isTypeRefused ? messages.typeRefused : reason}
      </span>
    );
  }
  if (isReplaced) return <span className="upload-note truncate">{messages.replacedByLater}</span>;
  if (datasource === undefined) return null;
  return (
    <DatasourceFailureReason datasource={datasource}>
      {hasReplacedFile(upload) && <span className="upload-note truncate">{messages.replacedEarlier}</span>}
    </DatasourceFailureReason>
  );
}

function UploadState({ upload, isReplaced }: UploadOutcomeProps): ReactNode {
  const messages = useMessages(uploadMessages);
  const formats = useFormats();
  const { state, share, datasource } = upload;
  if (isReplaced) return <StatusBadge tone="neutral">{messages.replaced}</StatusBadge>;
  if (datasource !== undefined) return <UploadedDatasourceStatus datasource={datasource} />;
  if (state === 'sending') {
    return (
      <StatusBadge isActive tone="info">
        {formats.percent(Math.floor(share * 100) / 100)}
      </StatusBadge>
    );
  }
  const tone = state === 'refused' ? 'danger' : 'neutral';
  return <StatusBadge tone={state === 'unsent' ? 'warning' : tone}>{messages[state]}</StatusBadge>;
}

function UploadedDatasourceStatus({ datasource }: { readonly datasource: Datasource }): ReactNode {
  return <RunStatus status={useCurrentDatasource(datasource).status} />;
}

interface DatasourceFailureReasonProps {
  readonly datasource: Datasource;
  /** Shown if the datasource has no error. */
  readonly children: ReactNode;
}

function DatasourceFailureReason({ datasource, children }: DatasourceFailureReasonProps): ReactNode {
  const { error } = useCurrentDatasource(datasource);
  const { describeReason } = useServerTexts();
  if (error === null) return children;
  return (
    <span className="upload-refused truncate" title={error.message}>
      {describeReason(error)}
    </span>
  );
}

/** Returns the current state of an uploaded datasource. Live events and regular requests update the state. */
function useCurrentDatasource(uploaded: Datasource): Datasource {
  const client = useClient();
  const { data } = useQuery({
    queryKey: getDatasourceKey(uploaded.id),
    queryFn: async ({ signal }) => client.getDatasource(uploaded.id, { signal }),
    initialData: uploaded,
    staleTime: Infinity,
    refetchInterval: ({ state }) => (state.data !== undefined && hasOpenRun(state.data) ? REFRESH_MS : false),
  });
  return data;
}
