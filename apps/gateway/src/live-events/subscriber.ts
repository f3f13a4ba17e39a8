import { createWakeSignal } from '../outbox/outbox.js';
import { BoundedMap } from './bounded-map.js';

/** Identifies the datasources that a stream reports, and the caller that opened the stream. */
export interface WatchedDatasources {
  readonly organizationId: string;
  readonly keyId: string;
  /** The hash of the token of the session. Absent: the caller has an API key instead of a session. */
  readonly sessionHash?: string;
  readonly datastoreId: string;
  /** The id of the only datasource that the stream reports. Absent: all datasources of the datastore. */
  readonly datasourceId?: string;
}

export type EventName = 'status' | 'progress' | 'removed' | 'reset';

/** A server-sent event. */
export interface LiveEvent {
  readonly name: EventName;
  /** The event id: the time of the change in the database, in milliseconds since 1970. */
  readonly at: number;
  /** The data as JSON. It is serialized once for all subscribers. */
  readonly json: string;
}

/** The state of a datasource at the time of a change, to be sent as an event. */
interface DatasourceState extends Pick<LiveEvent, 'at' | 'json'> {
  readonly id: string;
  readonly status: string;
}

/** Maximum number of events per stream that wait to be sent. If more events wait, the event `reset` replaces them. */
const MAX_WAITING = 1_000;
/**
 * Maximum number of datasources per stream whose last status is stored. The next event of any other datasource is named
 * `status`, even if its status has not changed.
 */
const MAX_STATUSES = 1_000;
/** Maximum time between two checks of whether the stream has ended, in milliseconds. */
const WAIT_MS = 15_000;

/** Holds the events that a client has not received yet, at most one per datasource. */
export class Subscriber {
  readonly watched: WatchedDatasources;
  readonly #signal = createWakeSignal();
  readonly #waiting = new Map<string, LiveEvent>();
  /** Maps each datasource id to its last status in this stream. `addState` compares new statuses with it. */
  readonly #statuses = new BoundedMap<string, string>(MAX_STATUSES);
  /**
   * The JSON of the last event of `watched.datasourceId`. An event with the same JSON is not added again. Undefined:
   * there was no event.
   */
  #latest: string | undefined;
  #resetAt: number | undefined;
  #hasEnded = false;

  constructor(watched: WatchedDatasources) {
    this.watched = watched;
  }

  /** True if no further event will be added after the waiting events. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Adds an event with a state: `progress` if the last event of the datasource has the same status, otherwise `status`. */
  addState({ id, status, at, json }: DatasourceState): void {
    const name = this.#statuses.get(id) === status ? 'progress' : 'status';
    this.#statuses.set(id, status);
    this.add(id, { name, at, json });
  }

  /** Adds an event. It replaces an event of the same datasource that was not sent yet. */
  add(datasourceId: string, event: LiveEvent): void {
    if (this.#hasEnded) return;
    if (datasourceId === this.watched.datasourceId) {
      if (event.json === this.#latest) return;
      this.#latest = event.json;
    }
    const before = this.#waiting.get(datasourceId);
    // If the replaced event reports a new status, its successor must do so too, so that the client does not miss the
    // new status.
    const name = before?.name === 'status' && event.name === 'progress' ? 'status' : event.name;
    this.#waiting.delete(datasourceId);
    this.#waiting.set(datasourceId, { ...event, name });
    if (this.#waiting.size > MAX_WAITING) this.reset(event.at);
    if (name === 'removed' && datasourceId === this.watched.datasourceId) this.#hasEnded = true;
    this.#signal.wake();
  }

  /** Replaces the waiting events by an event `reset`, after which the client requests the current state. */
  reset(at: number): void {
    this.#waiting.clear();
    // The client reads the current statuses, which may differ from those in the stream.
    this.#statuses.clear();
    this.#resetAt = at;
    this.#signal.wake();
  }

  /** Makes the stream end after the waiting events were sent. */
  end(): void {
    this.#hasEnded = true;
    this.#signal.wake();
  }

  /** Removes and returns the next event, or returns undefined if no event waits. */
  removeNextEvent(): LiveEvent | undefined {
    if (this.#resetAt !== undefined) {
      const at = this.#resetAt;
      this.#resetAt = undefined;
      return { name: 'reset', at, json: JSON.stringify({ datastoreId: this.watched.datastoreId }) };
    }
    for (const [id, event] of this.#waiting) {
      this.#waiting.delete(id);
      return event;
    }
    return undefined;
  }

  /** Resolves when there may be a new event, when the stream may have ended, or after 15 seconds. */
  async wait(): Promise<void> {
    await this.#signal.wait(WAIT_MS);
  }

  /** Makes `wait` resolve. */
  wake(): void {
    this.#signal.wake();
  }
}

/** Formats an event for an event stream. Serialized JSON has no line breaks, so the data needs only one line. */
export function formatEventFrame({ name, at, json }: LiveEvent): string {
  return `id: ${at}\nevent: ${name}\ndata: ${json}\n\n`;
}
