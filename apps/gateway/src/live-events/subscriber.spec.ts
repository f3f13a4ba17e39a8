import { describe, expect, it } from 'vitest';
import { type LiveEvent, Subscriber } from './subscriber.js';

const WATCHED = { organizationId: 'o', keyId: 'k', datastoreId: 'd' };
const createEvent = (name: LiveEvent['name'], json: string, at = 1): LiveEvent => ({ name, at, json });

function removeAllEvents(subscriber: Subscriber): LiveEvent[] {
  const events: LiveEvent[] = [];
  for (let next = subscriber.removeNextEvent(); next !== undefined; next = subscriber.removeNextEvent())
    events.push(next);
  return events;
}

describe('Subscriber', () => {
  it('a subscriber merges unread events of a datasource into one event with the newest state, named `status` if any of them had this name', () => {
    const subscriber = new Subscriber(WATCHED);
    subscriber.add('a', createEvent('status', '1', 1));
    subscriber.add('b', createEvent('progress', '2', 2));
    subscriber.add('a', createEvent('progress', '3', 3));
    expect(removeAllEvents(subscriber)).toEqual([createEvent('progress', '2', 2), createEvent('status', '3', 3)]);
  });

  it('a subscriber names the state of a datasource `progress` only if its last event of the datasource has the same status', () => {
    const subscriber = new Subscriber(WATCHED);
    const addState = (id: string, status: string, at: number): readonly string[] => {
      subscriber.addState({ id, status, at, json: '{}' });
      return removeAllEvents(subscriber).map(({ name }) => name);
    };
    expect(addState('a', 'pending', 1)).toEqual(['status']);
    expect(addState('a', 'pending', 2)).toEqual(['progress']);
    expect(addState('b', 'pending', 3)).toEqual(['status']);
    expect(addState('a', 'error', 4)).toEqual(['status']);
    subscriber.reset(5);
    expect(addState('a', 'error', 6)).toEqual(['reset', 'status']);
  });

  it('a subscriber replaces more than a thousand unread events by one `reset`', () => {
    const subscriber = new Subscriber(WATCHED);
    for (let at = 0; at <= 1_000; at += 1) subscriber.add(`s${at}`, createEvent('status', 'x', at));
    subscriber.add('later', createEvent('status', 'y', 2_000));
    expect(removeAllEvents(subscriber)).toEqual([
      createEvent('reset', '{"datastoreId":"d"}', 1_000),
      createEvent('status', 'y', 2_000),
    ]);
  });

  it('a subscriber of one datasource omits events with an unchanged state, and ends after the event `removed`', () => {
    const subscriber = new Subscriber({ ...WATCHED, datasourceId: 'a' });
    subscriber.add('a', createEvent('status', '1'));
    expect(removeAllEvents(subscriber)).toHaveLength(1);
    subscriber.add('a', createEvent('progress', '1'));
    expect(removeAllEvents(subscriber)).toEqual([]);
    subscriber.add('a', createEvent('removed', '{}'));
    subscriber.add('a', createEvent('status', '2'));
    expect([removeAllEvents(subscriber), subscriber.hasEnded]).toEqual([[createEvent('removed', '{}')], true]);
  });
});
