import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isMatchingPoint, type FakeFilter, type FakePayload, type FakePoint } from './filter.js';
import { createScorer, type FakeModifier, type FakeQuery } from './scorer.js';

/**
 * Number of points that are changed atomically. Like the real server, the fake applies changes of more points in steps.
 */
const POINTS_AT_ONCE = 3;
const READ_AT_ONCE = 500;

/** Describes a change of points in the form of the API. */
export type FakeUpdate =
  | { readonly upsert: { readonly points: readonly FakePoint[]; readonly update_filter?: FakeFilter } }
  | { readonly delete: FakeSelection }
  | { readonly set_payload: FakeSelection & FakePayloadChange };

/** Describes fields that are set in the payload of a point, or in the object in the field `key` of the payload. */
interface FakePayloadChange {
  readonly payload: FakePayload;
  readonly key?: string;
}

export type FakeSelection = { readonly points: readonly string[] } | { readonly filter: FakeFilter };

export interface FakeScored {
  readonly id: string;
  readonly score: number;
}

/** Stores the points of one collection. Changes are applied sequentially, in the order of arrival. */
export class FakeCollection {
  readonly #points = new Map<string, FakePoint>();
  readonly #dimensions: number | undefined;
  readonly indexes = new Map<string, unknown>();
  #applied: Promise<void> = Promise.resolve();

  modifier: FakeModifier;

  constructor(dimensions: number | undefined, modifier: FakeModifier) {
    this.#dimensions = dimensions;
    this.modifier = modifier;
  }

  /**
   * Applies a change, and resolves when it is complete. @throws RangeError if the size of a vector differs from that of
   * the collection
   */
  updatePoints(update: FakeUpdate): Promise<void> {
    if ('upsert' in update) for (const point of update.upsert.points) this.#requireVectorSize(point);
    this.#applied = this.#applied.then(() => this.#applyUpdate(update));
    return this.#applied;
  }

  retrievePoints(ids: readonly string[]): FakePoint[] {
    return ids.flatMap((id) => this.#points.get(id) ?? []);
  }

  countPoints(filter: FakeFilter | undefined): number {
    return [...this.#points.values()].filter((point) => isMatchingPoint(filter, point)).length;
  }

  /**
   * Returns the most frequent values of an indexed field, each with the number of points that have the value.
   *
   * @throws RangeError if the field has no index
   */
  countValues(
    key: string,
    filter: FakeFilter | undefined,
    limit: number,
  ): { readonly value: string; readonly count: number }[] {
    if (!this.indexes.has(key)) throw new RangeError(`No appropriate index for faceting: \`${key}\``);
    const values = [...this.#points.values()]
      .filter((point) => isMatchingPoint(filter, point))
      .map((one) => one.payload[key]);
    const groups = Map.groupBy(
      values.filter((value) => typeof value === 'string'),
      (value) => value,
    );
    const hits = Array.from(groups, ([value, { length }]) => ({ value, count: length }));
    return hits.sort((a, b) => b.count - a.count).slice(0, limit);
  }

  /** Returns points in the order of their ids, and the id at which the next page begins. */
  scrollPoints(
    filter: FakeFilter | undefined,
    limit: number,
    offset: string,
  ): { points: FakePoint[]; next: string | null } {
    const found = [...this.#points.values()]
      .filter((point) => point.id >= offset && isMatchingPoint(filter, point))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    return { points: found.slice(0, limit), next: found[limit]?.id ?? null };
  }

  async queryPoints(
    query: FakeQuery,
    using: string,
    filter: FakeFilter | undefined,
    limit: number,
  ): Promise<FakeScored[]> {
    const score = createScorer(query, using, [...this.#points.values()], this.modifier);
    const found: FakeScored[] = [];
    let read = 0;
    for (const point of this.#points.values()) {
      if ((read += 1) % READ_AT_ONCE === 0) await yieldToEventLoop();
      if (!isMatchingPoint(filter, point)) continue;
      const value = score(point);
      if (value !== undefined) found.push({ id: point.id, score: value });
    }
    return found.sort((a, b) => b.score - a.score).slice(0, limit);
  }

  async #applyUpdate(update: FakeUpdate): Promise<void> {
    if ('upsert' in update) {
      const { points, update_filter: filter } = update.upsert;
      await applyChangeInSteps(points, (point) => {
        const before = this.#points.get(point.id);
        if (before === undefined || isMatchingPoint(filter, before)) this.#points.set(point.id, point);
      });
    } else if ('delete' in update) {
      await applyChangeInSteps(this.#selectPoints(update.delete), ({ id }) => this.#points.delete(id));
    } else {
      const { key, payload } = update.set_payload;
      await applyChangeInSteps(this.#selectPoints(update.set_payload), (point) => {
        const before = key === undefined ? undefined : point.payload[key];
        Object.assign(point.payload, key === undefined ? payload : { [key]: Object.assign({}, before, payload) });
      });
    }
  }

  #selectPoints(selection: FakeSelection): FakePoint[] {
    if ('points' in selection) return this.retrievePoints(selection.points);
    return [...this.#points.values()].filter((point) => isMatchingPoint(selection.filter, point));
  }

  #requireVectorSize({ vector }: FakePoint): void {
    const dense = vector['dense'];
    if (dense === undefined) return;
    const isVector = Array.isArray(dense) && dense.every((value) => typeof value === 'number');
    if (isVector && dense.length === this.#dimensions) return;
    throw new RangeError(`Vector dimension error: expected dim: ${String(this.#dimensions)}`);
  }
}

async function applyChangeInSteps(points: readonly FakePoint[], change: (point: FakePoint) => void): Promise<void> {
  for (const [at, point] of points.entries()) {
    if (at > 0 && at % POINTS_AT_ONCE === 0) await yieldToEventLoop();
    change(point);
  }
}
