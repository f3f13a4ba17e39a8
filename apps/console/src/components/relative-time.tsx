import { useEffect, useState, type ReactNode } from 'react';
import { useFormats, useMessages } from '../language/language-context.js';
import { componentMessages } from './messages.js';

const REFRESH_MS = 20_000;

/** Shows a time relative to now, with the exact time on hover. Null is shown as “never”. */
export function RelativeTime({ value }: { readonly value: string | null }): ReactNode {
  const formats = useFormats();
  const messages = useMessages(componentMessages);
  const now = useNow();
  if (value === null) return <span className="muted">{messages.never}</span>;
  const date = new Date(value);
  return (
    <time className="numbers" dateTime={value} title={formats.exact(date)}>
      {formats.relative(date, now)}
    </time>
  );
}

/**
 * Returns the current time, and renders the component again at intervals. The time is not stored in the state: a stored
 * time would be earlier than a new value, which would then seem to be in the future.
 */
function useNow(): Date {
  const [, setCount] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => {
      setCount((count) => count + 1);
    }, REFRESH_MS);
    return () => {
      clearInterval(timer);
    };
  }, []);
  return new Date();
}
