import { useRef, useState, type DragEvent, type ReactNode } from 'react';
import { UploadIcon } from '../../components/icons.js';
import { useMessages } from '../../language/language-context.js';
import { uploadMessages } from './messages.js';
import { readDroppedFiles } from './read-dropped-files.js';
import './upload.css';
import type { ChosenFile } from './upload-queue.js';

export interface DropAreaProps {
  readonly children: ReactNode;
  readonly onFiles: (files: readonly ChosenFile[]) => void;
}

/**
 * Shows an area on which the user can drop files and folders. Keyboard users choose files with the buttons of the
 * upload screen.
 */
export function DropArea({ children, onFiles }: DropAreaProps): ReactNode {
  const messages = useMessages(uploadMessages);
  const [isOver, setIsOver] = useState(false);
  // Each child element emits its own dragenter and dragleave events, so this counts the elements that the pointer has
  // entered and not left.
  const depth = useRef(0);
  const trackDrag = (event: DragEvent, step: number): void => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    depth.current += step;
    setIsOver(depth.current > 0);
  };
  const handleDrop = (event: DragEvent): void => {
    event.preventDefault();
    depth.current = 0;
    setIsOver(false);
    void readDroppedFiles(event.dataTransfer).then((files) => {
      if (files.length > 0) onFiles(files);
    });
  };
  return (
    // Only pointers can drop files. Keyboard users choose files with buttons.
    <div
      className="drop-area"
      onDragEnter={(event) => trackDrag(event, 1)}
      onDragLeave={(event) => trackDrag(event, -1)}
      onDragOver={(event) => trackDrag(event, 0)}
      onDrop={handleDrop}
      role="presentation"
    >
      {children}
      {isOver && (
        <div aria-hidden="true" className="drop-hint">
          <span>
            <UploadIcon size={20} />
            {messages.dropHere}
          </span>
        </div>
      )}
    </div>
  );
}
