import { setTimeout as after } from 'node:timers/promises';
import type { Wait } from './with-retries.js';

export const systemWait: Wait = (ms, signal) => after(ms, undefined, { signal });
