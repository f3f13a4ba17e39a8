import type { Datasource } from '@quarry/client';
import type { ReactNode } from 'react';
import { DocumentIcon, ListingIcon, PageIcon, SiteIcon, TextIcon, type Icon } from '../../components/icons.js';
import { StatusBadge } from '../../components/status-badge.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { STATUS_TONES, statusMessages } from './status-messages.js';
import { useQueuePosition } from './use-datasources.js';

/** The icon of each type of datasource. */
export const TYPE_ICONS: Readonly<Record<Datasource['type'], Icon>> = {
  file: DocumentIcon,
  document: TextIcon,
  web_page: PageIcon,
  web_site: SiteIcon,
  item_listing: ListingIcon,
};

/** Shows the status of a datasource or run as a badge. */
export function RunStatus({ status }: { readonly status: keyof typeof STATUS_TONES }): ReactNode {
  const messages = useMessages(statusMessages);
  return (
    <StatusBadge isActive={status === 'running'} tone={STATUS_TONES[status]}>
      {messages[status]}
    </StatusBadge>
  );
}

/**
 * Shows the progress of a datasource's run in words: its stage with the finished and the total amount of work, or its
 * place in the queue. If the run has neither, shows the type of the datasource.
 */
export function RunProgress({ datasource }: { readonly datasource: Datasource }): ReactNode {
  const messages = useMessages(statusMessages);
  const formats = useFormats();
  const place = useQueuePosition(datasource);
  const { status, type, run } = datasource;
  if (status === 'pending' && place !== undefined) {
    const { position, estimatedSeconds } = place;
    const before = position === 0 ? messages.next : messages.place(formats.number(position));
    const start = estimatedSeconds === undefined ? [] : [messages.startsIn(formats.duration(estimatedSeconds * 1000))];
    return [before, ...start].join(', ');
  }
  const stage = run?.stage ?? null;
  if (status !== 'running' || stage === null) return messages[type];
  const progress = run?.progress ?? null;
  if (progress === null) return messages[stage];
  const total = progress.total ?? null;
  const amount = [progress.done, ...(total === null ? [] : [total])].map((count) => formats.number(count)).join(' / ');
  return `${messages[stage]} ${amount}`;
}
