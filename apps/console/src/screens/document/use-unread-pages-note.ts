import type { DatasourceDocument } from '@quarry/client';
import { useFormats, useMessages } from '../../language/language-context.js';
import { documentMessages } from './messages.js';

/**
 * Returns a note with the number of a document's pages whose text could not be read. Returns undefined if the text of
 * all pages was read.
 */
export function useUnreadPagesNote(pages: DatasourceDocument['pages'] | undefined): string | undefined {
  const messages = useMessages(documentMessages);
  const formats = useFormats();
  const unread = pages ? pages.undecoded + pages.images : 0;
  if (!pages || unread === 0) return undefined;
  return messages.unreadPages(
    formats.number(unread),
    formats.plural(pages.total, { one: messages.pagesOne, other: messages.pagesOther }),
  );
}
