import type TurndownService from 'turndown';

const LANGUAGE = /(?:^|\s)(?:language|lang|highlight-source|highlight|brush:)[- ]?([a-z0-9+#-]+)/i;
const NOT_A_LANGUAGE = new Set(['none', 'text', 'plaintext', 'js-copy', 'table', 'wrapper']);

/** Code keeps its lines and the language that its page says it is in. */
export function addCodeRules(service: TurndownService): void {
  service.addRule('code block', {
    filter: 'pre',
    replacement: (_content, node) => {
      const code = codeOf(node).replace(/^\n|\s+$/g, '');
      if (code.trim() === '') return '';
      const fence = fenceFor(code);
      return `\n\n${fence}${languageOf(node)}\n${code}\n${fence}\n\n`;
    },
  });
}

function codeOf(node: Node): string {
  return [...node.childNodes].map((child) => (child.nodeName === 'BR' ? '\n' : textWithBreaks(child))).join('');
}

function textWithBreaks(node: Node): string {
  return node.childNodes.length === 0 ? (node.textContent ?? '') : codeOf(node);
}

function languageOf(node: Element): string {
  const classes = [node.querySelector('code'), node, node.parentElement, node.parentElement?.parentElement ?? null];
  for (const element of classes) {
    const said = element?.getAttribute('data-lang') ?? LANGUAGE.exec(element?.getAttribute('class') ?? '')?.[1];
    if (said !== undefined && /^[a-z0-9+#-]{1,30}$/i.test(said) && !NOT_A_LANGUAGE.has(said)) return said.toLowerCase();
  }
  return '';
}

/** Longer than any run of backticks within, so that none of them ends the block. */
function fenceFor(code: string): string {
  const longest = Math.max(0, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  return '`'.repeat(Math.max(3, longest + 1));
}
