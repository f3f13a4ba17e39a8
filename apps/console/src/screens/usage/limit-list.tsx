import type { Usage } from '@quarry/client';
import type { ReactNode } from 'react';
import '../../components/panel.css';
import { RelativeTime } from '../../components/relative-time.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { usageMessages } from './messages.js';
import './usage.css';

/**
 * Shows the limits of an organization, each with its used share. Before `usage` is loaded, the list already has its
 * final height.
 */
export function LimitList({ usage }: { readonly usage: Usage | undefined }): ReactNode {
  const messages = useMessages(usageMessages);
  return (
    <section aria-busy={usage === undefined} aria-label={messages.limits} className="usage-limits">
      <LimitPanel usage={usage?.queries} title={messages.queriesThisMonth}>
        {usage === undefined ? (
          NO_BREAK_SPACE
        ) : (
          <>
            {messages.resets} <RelativeTime value={usage.resetsAt} />
          </>
        )}
      </LimitPanel>
      <LimitPanel usage={usage?.storedTokens} title={messages.storedTokens} />
    </section>
  );
}

interface LimitPanelProps {
  readonly title: string;
  readonly usage: Usage['storedTokens'] | undefined;
  readonly children?: ReactNode;
}

/** A character that gives a line without text its height. */
const NO_BREAK_SPACE = '\u00A0';

/** Used share of a limit, from 0 to 1. A limit with at least this share is marked as nearly reached. */
const NEARLY_USED = 0.8;

function LimitPanel({ title, usage, children }: LimitPanelProps): ReactNode {
  const formats = useFormats();
  return (
    <div className="panel usage-limit">
      <h2>{title}</h2>
      <p className="usage-amount numbers">{usage === undefined ? NO_BREAK_SPACE : formats.number(usage.used)}</p>
      <UsedShare title={title} usage={usage} />
      {children !== undefined && <p className="muted">{children}</p>}
    </div>
  );
}

/** Shows a bar with the used share of a limit. Without a limit, shows a text instead, at the same height. */
function UsedShare({ title, usage }: Pick<LimitPanelProps, 'title' | 'usage'>): ReactNode {
  const messages = useMessages(usageMessages);
  const formats = useFormats();
  if (usage === undefined || usage.limit === null) {
    return (
      <>
        <div className="usage-share usage-share-none" />
        <p className="muted">{usage === undefined ? NO_BREAK_SPACE : messages.noLimit}</p>
      </>
    );
  }
  const { used, limit } = usage;
  const share = Math.min(1, limit === 0 ? 1 : used / limit);
  const tone = share >= 1 ? 'danger' : share >= NEARLY_USED ? 'warning' : 'normal';
  return (
    <>
      <progress aria-label={title} className={`usage-share usage-share-${tone}`} max={1} value={share} />
      <p className="muted numbers">
        {messages.ofLimit(formats.number(used), formats.number(limit))} · {messages.share(formats.percent(share))}
      </p>
    </>
  );
}
