import { expect, it } from 'vitest';
import { parseDocument } from './parse-document.js';

it('parseDocument creates nodes without maps of event listeners, because linkedom needs much time for them', () => {
  const document = parseDocument('<p>text</p>');
  const nodes = [document, document.body, ...document.querySelectorAll('p')];
  const addListener = (node: Node) => (): void => {
    node.addEventListener('click', () => undefined);
  };
  for (const node of nodes) expect(addListener(node)).toThrow(TypeError);
});
