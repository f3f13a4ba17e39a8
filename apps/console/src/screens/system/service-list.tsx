import type { System, SystemService } from '@quarry/client';
import type { ReactNode } from 'react';
import { CheckIcon, WarningIcon } from '../../components/icons.js';
import { Tag } from '../../components/status-badge.js';
import { RelativeTime } from '../../components/relative-time.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { computeUptimeMs } from './compute-system-status.js';
import { COMPONENT_MESSAGES, DEPENDENCY_MESSAGES, SERVICE_MESSAGES } from './names.js';
import { systemMessages } from './messages.js';
import { SystemStatusBadge } from './system-status.js';

interface ServiceListProps {
  readonly services: readonly SystemService[];
  readonly mode: System['mode'];
  readonly checkedAt: string;
}

/** Shows the processes of the services, with their states, dependencies and components. */
export function ServiceList({ services, ...checked }: ServiceListProps): ReactNode {
  return (
    <ul aria-label={useMessages(systemMessages).servicesTitle} className="service-list">
      {services.map((service) => (
        <li className="service" key={`${service.name} ${service.instance ?? ''}`}>
          <ServiceHead {...checked} service={service} />
          {service.reason !== null && <p className="service-reason">{service.reason}</p>}
          <div className="service-details">
            <ServiceDependencies dependencies={service.dependencies} />
            <ServiceComponents components={service.components} />
          </div>
        </li>
      ))}
    </ul>
  );
}

interface ServiceHeadProps extends Omit<ServiceListProps, 'services'> {
  readonly service: SystemService;
}

function ServiceHead({ service, mode, checkedAt }: ServiceHeadProps): ReactNode {
  const messages = useMessages(systemMessages);
  const { duration } = useFormats();
  const { name, purpose } = useMessages(SERVICE_MESSAGES)[service.name];
  const { version, startedAt, reportedAt, instance, status } = service;
  return (
    <div className="service-head">
      <div>
        <h3>{name}</h3>
        <p className="muted">{purpose}</p>
      </div>
      <SystemStatusBadge status={status} />
      {version !== null && (
        <p className="service-process muted numbers">
          <span>{messages.version(version)}</span>
          {startedAt !== null && <span>{messages.uptime(duration(computeUptimeMs(startedAt, checkedAt)))}</span>}
          {/* In one process, each service would repeat the same name. */}
          {mode === 'services' && <span className="service-instance">{instance}</span>}
          {mode === 'services' && (
            <span>
              {messages.reported} <RelativeTime value={reportedAt} />
            </span>
          )}
        </p>
      )}
    </div>
  );
}

function ServiceDependencies({ dependencies }: Pick<SystemService, 'dependencies'>): ReactNode {
  const messages = useMessages(systemMessages);
  const names = useMessages(DEPENDENCY_MESSAGES);
  if (dependencies.length === 0) return null;
  return (
    <ul aria-label={messages.dependencies} className="service-parts">
      {dependencies.map(({ name, reason, required, affects }) => (
        <li
          className={reason === null ? 'dependency' : 'dependency dependency-unavailable'}
          key={name}
          title={affects.length === 0 ? undefined : affects.join(', ')}
        >
          {reason === null ? <CheckIcon size={13} /> : <WarningIcon size={13} />}
          {names[name] ?? name}{' '}
          <span className={reason === null ? 'visually-hidden' : ''}>
            {reason === null ? messages.available : required ? messages.missing : messages.missingInPart}
          </span>
        </li>
      ))}
    </ul>
  );
}

function ServiceComponents({ components }: Pick<SystemService, 'components'>): ReactNode {
  const messages = useMessages(systemMessages);
  const kinds = useMessages(COMPONENT_MESSAGES);
  if (components.length === 0) return null;
  return (
    <ul aria-label={messages.components} className="service-parts">
      {components.map(({ kind, name }) => (
        <li key={`${kind} ${name}`}>
          <Tag>
            <span className="component-kind">{kinds[kind] ?? kind}</span>
            {name}
          </Tag>
        </li>
      ))}
    </ul>
  );
}
