import { describe, expect, it } from 'vitest';
import { QueueWindow } from './queue-window.js';

const EMPTY = { waiting: 0, active: 0, delayed: 0 };

describe('the window of a queue', () => {
  it('has room for a few jobs while no consumer is known', () => {
    expect(new QueueWindow().getFreePlaces(EMPTY, 0, 0)).toBe(8);
    expect(new QueueWindow().getFreePlaces({ ...EMPTY, waiting: 3 }, 0, 0)).toBe(5);
    expect(new QueueWindow().getFreePlaces({ ...EMPTY, waiting: 30 }, 0, 0)).toBe(0);
  });

  it('has room for as many waiting jobs as the consumers can run at once', () => {
    expect(new QueueWindow().getFreePlaces({ waiting: 5, active: 20, delayed: 9 }, 20, 0)).toBe(15);
  });

  it('grows with the rate at which jobs end, and shrinks again when no job ends', () => {
    const window = new QueueWindow();
    let free = 0;
    for (let second = 0; second < 20; second += 1) {
      free = window.getFreePlaces({ waiting: 0, active: 10, delayed: 0 }, 10, second * 1000);
      window.addPublished(100);
    }
    expect(free).toBeGreaterThan(10 + 30);
    expect(free).toBeLessThanOrEqual(10 + 40);
    for (let second = 20; second < 60; second += 1) {
      free = window.getFreePlaces({ waiting: 0, active: 110, delayed: 0 }, 10, second * 1000);
    }
    expect(free).toBe(11);
  });
});
