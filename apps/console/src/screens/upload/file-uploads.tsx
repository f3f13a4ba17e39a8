import { useRef, type ReactNode, type RefObject } from 'react';
import { Button } from '../../components/button.js';
import { FileInput } from '../../components/file-input.js';
import { CloseIcon, DocumentIcon, FolderIcon, RetryIcon, UploadIcon } from '../../components/icons.js';
import { VirtualList } from '../../components/virtual-list.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { uploadMessages } from './messages.js';
import { listChosenFiles } from './read-dropped-files.js';
import {
  canRetryUpload,
  countUploadsByState,
  isInProgress,
  isReplacedUpload,
  type ChosenFile,
} from './upload-queue.js';
import { UploadRow } from './upload-row.js';
import { useUploads } from './use-uploads.js';

const ROW_HEIGHT = 52;

/** Shows the buttons that choose files, and the progress of each file. */
export function FileUploads({ datastoreId }: { readonly datastoreId: string }): ReactNode {
  const messages = useMessages(uploadMessages);
  const { uploads, add, retry, cancel, clear } = useUploads(datastoreId);
  return (
    <div className="upload-files">
      <FilePickers isSmall={uploads.length > 0} onFiles={add} />
      {uploads.length > 0 && (
        <>
          <UploadSummary datastoreId={datastoreId} />
          <VirtualList
            getKey={({ id }) => String(id)}
            label={messages.uploads}
            renderRow={(upload) => (
              <UploadRow
                isReplaced={isReplacedUpload(upload, uploads)}
                onCancel={() => cancel(upload.id)}
                onRemove={() => clear(upload.id)}
                onRetry={() => retry(upload.id)}
                upload={upload}
              />
            )}
            rowHeight={ROW_HEIGHT}
            rows={uploads}
          />
        </>
      )}
    </div>
  );
}

export interface FilePickersProps {
  readonly onFiles: (files: readonly ChosenFile[]) => void;
  readonly isSmall?: boolean;
}

/**
 * Shows the buttons that choose files and folders, in a frame with a hint that the user can also drop files on the
 * screen.
 */
export function FilePickers({ onFiles, isSmall = false }: FilePickersProps): ReactNode {
  const messages = useMessages(uploadMessages);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const renderPicker = (input: RefObject<HTMLInputElement | null>, name: string, isFolder = false): ReactNode => (
    <FileInput
      aria-label={name}
      multiple
      name={isFolder ? 'folder' : 'files'}
      onFiles={(chosen) => onFiles(listChosenFiles(chosen))}
      ref={input}
      {...(isFolder ? { webkitdirectory: '' } : {})}
    />
  );
  return (
    <div className={isSmall ? 'drop-frame drop-frame-small' : 'drop-frame'}>
      <UploadIcon size={isSmall ? 18 : 24} />
      <div>
        <strong>{messages.dropTitle}</strong>
        <p className="muted">{messages.dropText}</p>
      </div>
      <div className="drop-frame-actions">
        <Button icon={DocumentIcon} kind={isSmall ? 'secondary' : 'primary'} onClick={() => files.current?.click()}>
          {messages.chooseFiles}
        </Button>
        <Button icon={FolderIcon} onClick={() => folder.current?.click()}>
          {messages.chooseFolder}
        </Button>
      </div>
      {renderPicker(files, messages.chooseFiles)}
      {renderPicker(folder, messages.chooseFolder, true)}
    </div>
  );
}

function UploadSummary({ datastoreId }: { readonly datastoreId: string }): ReactNode {
  const messages = useMessages(uploadMessages);
  const formats = useFormats();
  const { uploads, retry, cancel, clear } = useUploads(datastoreId);
  const { done, unsent, refused } = countUploadsByState(uploads);
  const open = uploads.filter(isInProgress).length;
  return (
    <div className="upload-summary">
      <p aria-live="polite">
        <strong className="numbers">{messages.summary(formats.number(done), formats.number(uploads.length))}</strong>
        {unsent > 0 && <span className="upload-unsent">{messages.unsentCount(formats.number(unsent))}</span>}
        {refused > 0 && <span className="upload-refused">{messages.refusedCount(formats.number(refused))}</span>}
      </p>
      {uploads.some(canRetryUpload) && (
        <Button icon={RetryIcon} onClick={() => retry()}>
          {messages.retryAll}
        </Button>
      )}
      {open > 0 && (
        <Button icon={CloseIcon} onClick={() => cancel()}>
          {messages.cancelAll}
        </Button>
      )}
      {uploads.length > open && <Button onClick={() => clear()}>{messages.clear}</Button>}
    </div>
  );
}
