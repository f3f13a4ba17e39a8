import type { ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { StatusBadge } from '../../components/status-badge.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { documentMessages } from './messages.js';
import { describeRecognition } from './recognition.js';
import { useDatasource, useOnlyDocument } from './use-document.js';
import { useUnreadNote } from './use-unread-note.js';

export interface PageConfidenceProps {
  readonly datasourceId: string;
  readonly page: number;
  readonly onPage: (page: number) => void;
}

/**
 * Shows the OCR confidence of the open page, the other pages with a low confidence, and how many pages were not read.
 */
export function PageConfidence({ datasourceId, page, onPage }: PageConfidenceProps): ReactNode {
  const messages = useMessages(documentMessages);
  const formats = useFormats();
  const { data: document } = useOnlyDocument(useDatasource(datasourceId).data);
  const unreadNote = useUnreadNote(document?.pages);
  const { confidence, isLow, otherLowPages } = describeRecognition(document?.pages ?? null, page);
  if (confidence === undefined && otherLowPages.length === 0 && unreadNote === undefined) return null;
  return (
    <div aria-label={messages.recognition} className="page-confidence" role="group">
      {confidence !== undefined && (
        <StatusBadge tone={isLow ? 'warning' : 'success'}>
          {messages.recognized(formats.percent(confidence))}
        </StatusBadge>
      )}
      {isLow && <span className="page-confidence-hint">{messages.lowConfidence}</span>}
      {otherLowPages.length > 0 && (
        <span className="page-confidence-others">
          <span className="muted">{messages.otherLowPages}</span>
          {otherLowPages.map((other) => (
            <Button key={other.page} kind="quiet" onClick={() => onPage(other.page)}>
              {messages.pageWithConfidence(formats.number(other.page), formats.percent(other.confidence))}
            </Button>
          ))}
        </span>
      )}
      {unreadNote !== undefined && <span className="muted">{unreadNote}</span>}
    </div>
  );
}
