import type { ReactNode } from 'react';
import { StatusBadge, type StatusTone } from '../../components/status-badge.js';
import { useMessages } from '../../language/language-context.js';
import type { SystemStatus } from './compute-system-status.js';
import { systemMessages } from './messages.js';

const TONES: Readonly<Record<SystemStatus, StatusTone>> = {
  ready: 'success',
  degraded: 'warning',
  unavailable: 'danger',
};

/** Shows the state of a service or of the installation. */
export function SystemStatusBadge({ status }: { readonly status: SystemStatus }): ReactNode {
  return <StatusBadge tone={TONES[status]}>{useMessages(systemMessages)[status]}</StatusBadge>;
}
