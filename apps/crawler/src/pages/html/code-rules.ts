import type TurndownService from 'turndown';

const LANGUAGE = /(?:^|\s)(?:language|lang|highlight-source|highlight|brush:)[- ]?([a-z0-9+#-]+)/i;
const NOT_A_LANGUAGE = new Set(['none', 'text', 'plaintext', 'js-copy', 'table', 'wrapper']);

/** Adds rules to turndown that convert code blocks to fenced Markdown, with their line breaks and language. */
export function addCodeRules(service: TurndownService): void {
  service.addRule('code block', {
    filter: 'pre',
    replacement: (_content, node) => {
      const code = extractCode(node).replace(/^\n|\s+$/g, '');
      if (code.trim() === '') return '';
      const fence = chooseFence(code);
      return `\n\n${fence}${findLanguage(node)}\n${code}\n${fence}\n\n`;
    },
  });
}

function extractCode(node: Node): string {
  return [...node.childNodes].map((child) => (child.nodeName === 'BR' ? '\n' : extractTextWithBreaks(child))).join('');
}

function extractTextWithBreaks(node: Node): string {
  return node.childNodes.length === 0 ? (node.textContent ?? '') : extractCode(node);
}

function findLanguage(node: Element): string {
  const classes = [node.querySelector('code'), node, node.parentElement, node.parentElement?.parentElement ?? null];
  for (const element of classes) {
    const language = element?.getAttribute('data-lang') ?? LANGUAGE.exec(element?.getAttribute('class') ?? '')?.[1];
    if (language !== undefined && /^[a-z0-9+#-]{1,30}$/i.test(language) && !NOT_A_LANGUAGE.has(language))
      return language.toLowerCase();
  }
  return '';
}

/** Returns a Markdown fence with more backticks than any sequence of backticks in the code. */
function chooseFence(code: string): string {
  const longest = Math.max(0, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  return '`'.repeat(Math.max(3, longest + 1));
}
