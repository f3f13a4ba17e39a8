import type { Usage } from '@quarry/client';
import { useId, type ReactNode } from 'react';
import '../../components/panel.css';
import { Time } from '../../components/time.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { usageMessages } from './messages.js';
import './usage.css';

/** Shows the limits of the organization, with how much of each is used. */
export function LimitList({ usage }: { readonly usage: Usage }): ReactNode {
  const messages = useMessages(usageMessages);
  const { queries, storedTokens, resetsAt } = usage;
  return (
    <section aria-label={messages.limits} className="usage-limits">
      <Limit {...queries} title={messages.queriesThisMonth}>
        {messages.resets} <Time value={resetsAt} />
      </Limit>
      <Limit {...storedTokens} title={messages.storedTokens} />
    </section>
  );
}

interface LimitProps {
  readonly title: string;
  readonly used: number;
  readonly limit: number | null;
  readonly children?: ReactNode;
}

/** Share of a limit from which it is marked as nearly reached. */
const NEARLY_USED = 0.8;

function Limit({ title, used, limit, children }: LimitProps): ReactNode {
  const messages = useMessages(usageMessages);
  const formats = useFormats();
  const id = useId();
  const share = limit === null ? 0 : Math.min(1, limit === 0 ? 1 : used / limit);
  const tone = share >= 1 ? 'danger' : share >= NEARLY_USED ? 'warning' : 'normal';
  return (
    <div className="panel usage-limit">
      <h2 id={id}>{title}</h2>
      <p className="usage-amount numbers">{formats.number(used)}</p>
      {limit === null ? (
        <p className="muted">{messages.noLimit}</p>
      ) : (
        <>
          <progress aria-labelledby={id} className={`usage-share usage-share-${tone}`} max={1} value={share} />
          <p className="muted numbers">
            {messages.ofLimit(formats.number(used), formats.number(limit))} · {messages.share(formats.percent(share))}
          </p>
        </>
      )}
      {children !== undefined && <p className="muted">{children}</p>}
    </div>
  );
}
