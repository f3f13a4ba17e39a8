import { describe, expect, it } from 'vitest';
import { createLog } from './log.js';
import { describeUnsupportedNode } from './node-version.js';

describe('createLog', () => {
  it('the log redacts secrets in the fields of an entry, and in objects that these fields contain', () => {
    const lines: string[] = [];
    const log = createLog('test', 'info', { write: (line) => lines.push(line) });
    log.info({ apiKey: 'qk_1', request: { authorization: 'Bearer qk_2' }, visible: 'yes' }, 'hello');
    expect(lines.join('')).not.toMatch(/qk_/);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ service: 'test', level: 'info', visible: 'yes', msg: 'hello' });
  });

  it('the log omits objects that libraries attach to errors, and contains all causes of an error', () => {
    const lines: string[] = [];
    const log = createLog('test', 'info', { write: (line) => lines.push(line) });
    const attached = { config: { request: { headers: { 'x-api-key': 'qk_1' } } } };
    const failed = Object.assign(new Error('refused', { cause: new Error('no route') }), attached, { status: 503 });
    log.error({ err: failed }, 'one failed');
    log.error({ err: new AggregateError([failed], 'all failed') }, 'all failed');
    expect(lines.join('')).not.toMatch(/qk_/);
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { err: { type: 'Error', message: 'refused: no route', status: 503 } },
      { err: { type: 'AggregateError', errors: [{ message: 'refused: no route', status: 503 }] } },
    ]);
  });
});

describe('describeUnsupportedNode', () => {
  it('describeUnsupportedNode names the required version and the running version', () => {
    expect(describeUnsupportedNode('v24.21.0')).toBeUndefined();
    expect(describeUnsupportedNode('v20.20.2')).toMatch(/runs on Node 24, found v20\.20\.2/);
  });
});
