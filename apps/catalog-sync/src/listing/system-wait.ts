import { setTimeout as after } from 'node:timers/promises';
import type { Wait } from './patience.js';

export const systemWait: Wait = (ms, signal) => after(ms, undefined, { signal });
