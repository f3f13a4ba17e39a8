import type { ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { StatusBadge } from '../../components/status-badge.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { documentMessages } from './messages.js';
import { describePageRecognition } from './recognition.js';
import { useDocument, type DocumentAddress } from './use-document.js';
import { useUnreadPagesNote } from './use-unread-pages-note.js';

export interface PageConfidenceProps {
  readonly address: DocumentAddress;
  readonly page: number;
  readonly onPage: (page: number) => void;
}

/**
 * Shows the OCR confidence of the open page, buttons that open other pages with a low confidence, and the number of
 * pages without readable text.
 */
export function PageConfidence({ address, page, onPage }: PageConfidenceProps): ReactNode {
  const messages = useMessages(documentMessages);
  const formats = useFormats();
  const { data: document } = useDocument(address);
  const unreadNote = useUnreadPagesNote(document?.pages);
  const { confidence, isLow, otherLowPages } = describePageRecognition(document?.pages ?? null, page);
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
