import { describe, expect, it } from 'vitest';
import { formatWelcome } from './format-welcome.js';

const url = 'http://127.0.0.1:3000';
const sample = { agentId: 'a1', question: 'What is a datastore?' };

describe('the welcome message', () => {
  it('shows a new API key, and a curl command that works unchanged', () => {
    const text = formatWelcome({ url, key: { text: 'qk_new', isNew: true, file: '/data/root-key' }, sample });
    expect(text).toContain('Your first API key, shown this once: qk_new');
    expect(text).toContain(
      `curl -H "Authorization: Bearer qk_new" -H "Content-Type: application/json" ${url}/api/agents/a1/query -d '{"query":"What is a datastore?"}'`,
    );
  });

  it('shows the file of an existing API key instead of the key', () => {
    const text = formatWelcome({ url, key: { text: 'qk_old', isNew: false, file: '/data/root-key' }, sample });
    expect(text).not.toContain('qk_old');
    expect(text).toContain(`Bearer $(cat '/data/root-key')`);
  });

  it('refers to the environment variable of a configured API key', () => {
    const text = formatWelcome({ url, key: { text: 'qk_mine', isNew: false, file: undefined }, sample: undefined });
    expect(text).not.toContain('qk_mine');
    expect(text).toContain(`curl -H "Authorization: Bearer $QUARRY_ROOT_KEY" ${url}/api/datastores`);
  });
});
