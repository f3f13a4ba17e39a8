import type { EventStream } from '../answering/sse.js';
import type { Caller } from '../access/caller.js';
import type { OpenDatabase } from '../database/database.js';
import { redactQueryParameters } from '../database/query-error.js';
import { loadDatasources } from '../datasources/datasource-repository.js';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import type { Change, Notification } from '../changes/change.js';
import { startChangeListener, type ChangeListener } from './change-listener.js';
import { isWatching, sendRemovedEvent, sendDatasourceState, writeEvents } from './deliver-events.js';
import { endInvalidStreams } from './end-invalid-streams.js';
import type { EventStreams, ServeOptions } from './event-streams.js';
import { RecentChanges } from './recent-changes.js';
import { requireStreamCapacity, STREAM_LIMITS, type StreamLimits } from './stream-limits.js';
import { Subscriber, type WatchedDatasources } from './subscriber.js';

/**
 * Interval in milliseconds at which changed datasources are read and sent. A datasource has at most one event per
 * interval.
 */
const FLUSH_MS = 250;
/** Maximum number of datasources that are read at once. */
const MAX_READ = 500;
/**
 * Interval in milliseconds between credential checks of open streams. Streams usually end earlier, because revocations
 * and sign-outs send notifications.
 */
const CREDENTIAL_CHECK_MS = 15_000;
/** The frame that makes browsers connect again 2,000 ms after an interruption. */
const RETRY_FRAME = 'retry: 2000\n\n';

export interface LiveEventsParts extends Pick<Gateway, 'db' | 'log' | 'clock'> {
  readonly openConnection: OpenDatabase['openConnection'];
  readonly limits?: StreamLimits;
}

/**
 * Sends changes of datasources to the open streams of this gateway. One connection receives the changes of all
 * gateways, and each changed datasource is read once for all streams. The connection opens with the first stream.
 */
export class LiveEvents implements EventStreams {
  readonly #parts: LiveEventsParts;
  readonly #limits: StreamLimits;
  readonly #subscribers = new Set<Subscriber>();
  readonly #recent = new RecentChanges();
  /** The ids of the changed datasources that were not read yet, with the times of the changes, oldest first. */
  readonly #changed = new Map<string, number>();
  #latest = 0;
  #listener: ChangeListener | undefined;
  #timers: NodeJS.Timeout[] = [];
  #flushing: Promise<void> | undefined;
  #isStopping = false;

  constructor(parts: LiveEventsParts) {
    this.#parts = parts;
    this.#limits = parts.limits ?? STREAM_LIMITS;
  }

  requireCapacity({ organizationId, keyId }: Pick<Caller, 'organizationId' | 'keyId'>): void {
    if (this.#isStopping) throw problem('service_stopping', 'The service is stopping. Connect again.');
    requireStreamCapacity(
      Array.from(this.#subscribers, ({ watched }) => watched),
      { organizationId, keyId },
      this.#limits,
    );
  }

  async serve(stream: EventStream, watched: WatchedDatasources, { signal, resumeAfter }: ServeOptions): Promise<void> {
    const subscriber = new Subscriber(watched);
    const wake = (): void => {
      subscriber.wake();
    };
    signal.addEventListener('abort', wake);
    try {
      this.requireCapacity(watched);
      this.#subscribers.add(subscriber);
      await stream.write(RETRY_FRAME);
      await this.#startListener();
      await this.#sendInitialEvents(subscriber, resumeAfter);
      await writeEvents(stream, subscriber, signal);
    } catch (error) {
      this.#parts.log.warn(
        { err: redactQueryParameters(error) },
        'an event stream failed; its client connects again and resumes',
      );
    } finally {
      this.#subscribers.delete(subscriber);
      signal.removeEventListener('abort', wake);
      stream.end();
    }
  }

  async close(): Promise<void> {
    this.#isStopping = true;
    for (const timer of this.#timers) clearInterval(timer);
    for (const subscriber of this.#subscribers) subscriber.end();
    await this.#listener?.close();
    await this.#flushing;
  }

  async #startListener(): Promise<void> {
    if (this.#listener === undefined && !this.#isStopping) {
      const { openConnection, log } = this.#parts;
      this.#listener = startChangeListener({
        log,
        connect: openConnection,
        onNotification: (notification) => {
          this.#receiveNotification(notification);
        },
        onListening: (at) => {
          this.#restartStreams(at);
        },
      });
      const flush = setInterval(() => {
        this.#flushing ??= this.#sendNextChanges().finally(() => (this.#flushing = undefined));
      }, FLUSH_MS);
      this.#timers = [
        flush,
        setInterval(() => void endInvalidStreams(this.#parts, [...this.#subscribers]), CREDENTIAL_CHECK_MS),
      ];
    }
    await this.#listener?.started;
  }

  /**
   * Sends the first events of a stream: the state of the watched datasource, or the changes in the watched datastore
   * since the event `resumeAfter`. If the changes may be incomplete, sends `reset` instead.
   */
  async #sendInitialEvents(subscriber: Subscriber, resumeAfter: number | undefined): Promise<void> {
    const { datasourceId, datastoreId } = subscriber.watched;
    const at = this.#latest;
    if (datasourceId !== undefined) return this.#sendDatasources(new Map([[datasourceId, at]]), [subscriber]);
    const missed = resumeAfter === undefined ? undefined : this.#recent.listSince(resumeAfter);
    if (missed === undefined) {
      subscriber.reset(at);
      return;
    }
    // Each of these events has the id of the last event that the client received. So if the stream is interrupted
    // again, the next stream sends all of them again.
    const resumeAt = resumeAfter ?? at;
    for (const change of missed)
      if (change.removedFrom === datastoreId) sendRemovedEvent(subscriber, change.id, resumeAt);
    const present = missed.filter(({ removedFrom }) => removedFrom === null);
    await this.#sendDatasources(new Map(present.map(({ id }) => [id, resumeAt])), [subscriber]);
  }

  /**
   * Makes the streams of datasources send the current state again, and the streams of datastores send `reset`. This is
   * necessary if changes before `at` may not have been received.
   */
  #restartStreams(at: number): void {
    this.#latest = Math.max(this.#latest, at);
    this.#recent.restart(at);
    for (const subscriber of this.#subscribers) {
      const { datasourceId } = subscriber.watched;
      if (datasourceId === undefined) subscriber.reset(this.#latest);
      else this.#changed.set(datasourceId, this.#latest);
    }
  }

  #receiveNotification({ at, changes }: Notification): void {
    this.#latest = Math.max(this.#latest, at);
    for (const change of changes) this.#receiveChange(change, at);
  }

  #receiveChange(change: Change, at: number): void {
    const all = [...this.#subscribers];
    switch (change.kind) {
      case 'datasource':
        this.#recent.add({ id: change.id, at, removedFrom: null });
        this.#changed.delete(change.id);
        this.#changed.set(change.id, at);
        return;
      case 'removed':
        this.#recent.add({ id: change.id, at, removedFrom: change.datastoreId });
        this.#changed.delete(change.id);
        for (const subscriber of all) if (isWatching(subscriber, change)) sendRemovedEvent(subscriber, change.id, at);
        return;
      case 'datastore':
        for (const subscriber of all.filter(({ watched }) => watched.datastoreId === change.id)) {
          if (subscriber.watched.datasourceId !== undefined)
            sendRemovedEvent(subscriber, subscriber.watched.datasourceId, at);
          subscriber.end();
        }
        return;
      case 'key':
        for (const subscriber of all) if (subscriber.watched.keyId === change.id) subscriber.end();
        return;
      case 'session':
        for (const subscriber of all) if (subscriber.watched.sessionHash === change.id) subscriber.end();
        return;
      case 'organization':
        for (const subscriber of all) if (subscriber.watched.organizationId === change.id) subscriber.end();
        return;
      case 'reset':
        this.#restartStreams(at);
    }
  }

  /** Reads the datasources with the oldest unsent changes, and sends their states to the streams that watch them. */
  async #sendNextChanges(): Promise<void> {
    const subscribers = [...this.#subscribers];
    if (subscribers.length === 0) this.#changed.clear();
    if (this.#changed.size === 0) return;
    const next = new Map([...this.#changed].slice(0, MAX_READ));
    for (const id of next.keys()) this.#changed.delete(id);
    try {
      await this.#sendDatasources(next, subscribers);
    } catch (error) {
      this.#parts.log.warn(
        { err: redactQueryParameters(error) },
        'failed to read changed datasources; they are read again',
      );
      for (const [id, at] of next) if (!this.#changed.has(id)) this.#changed.set(id, at);
    }
  }

  /** Reads datasources and sends the state of each to the subscribers that watch it. */
  async #sendDatasources(changed: ReadonlyMap<string, number>, subscribers: readonly Subscriber[]): Promise<void> {
    const datastoreIds = new Set(subscribers.map(({ watched }) => watched.datastoreId));
    const found = await loadDatasources(this.#parts.db, [...changed.keys()], [...datastoreIds]);
    const foundById = new Map(found.map((each) => [each.datasource.id, each]));
    // Sends in the order of the changes, because a client resumes after the last event that it received.
    for (const [id, at] of changed) {
      const each = foundById.get(id);
      if (each === undefined) continue;
      sendDatasourceState(each, at, subscribers);
    }
    for (const subscriber of subscribers) {
      const { datasourceId } = subscriber.watched;
      const at = datasourceId === undefined ? undefined : changed.get(datasourceId);
      if (datasourceId !== undefined && at !== undefined && !foundById.has(datasourceId)) {
        sendRemovedEvent(subscriber, datasourceId, at);
      }
    }
  }
}
