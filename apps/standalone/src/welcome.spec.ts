import { describe, expect, it } from 'vitest';
import { welcome } from './welcome.js';

const url = 'http://127.0.0.1:3000';
const sample = { agentId: 'a1', question: 'What is a datastore?' };

describe('the welcome', () => {
  it('shows a new key and a line that works as pasted', () => {
    const text = welcome({ url, key: { text: 'qk_new', isNew: true, file: '/data/root-key' }, sample });
    expect(text).toContain('Your first API key, shown this once: qk_new');
    expect(text).toContain(
      `curl -H "Authorization: Bearer qk_new" -H "Content-Type: application/json" ${url}/api/agents/a1/query -d '{"query":"What is a datastore?"}'`,
    );
  });

  it('does not show a key again, but says where it is', () => {
    const text = welcome({ url, key: { text: 'qk_old', isNew: false, file: '/data/root-key' }, sample });
    expect(text).not.toContain('qk_old');
    expect(text).toContain(`Bearer $(cat '/data/root-key')`);
  });

  it('names the variable that a key came from', () => {
    const text = welcome({ url, key: { text: 'qk_mine', isNew: false, file: undefined }, sample: undefined });
    expect(text).not.toContain('qk_mine');
    expect(text).toContain(`curl -H "Authorization: Bearer $QUARRY_ROOT_KEY" ${url}/api/datastores`);
  });
});
