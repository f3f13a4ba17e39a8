import { parser, type SyntaxNode } from '@prometheus-io/lezer-promql';

/** Describes a selector of time series in a PromQL expression, such as `quarry_queue_jobs{state="waiting"}`. */
export interface SeriesSelector {
  readonly metric: string;
  /** The names of the labels that the matchers of the selector compare. */
  readonly labels: readonly string[];
}

/** Describes a comparison with a number in a PromQL expression, such as `… > 900`. */
export interface Comparison {
  /** Names of the metrics in the expression that is compared with the number. */
  readonly metrics: readonly string[];
  readonly operator: string;
  readonly limit: number;
}

const OPERATORS: Readonly<Record<string, string>> = { Eql: '==', Neq: '!=', Gtr: '>', Gte: '>=', Lss: '<', Lte: '<=' };

/** Returns the series selectors of a PromQL expression. @throws Error if the expression cannot be parsed */
export function parseSelectors(expression: string): readonly SeriesSelector[] {
  return collectSelectors(parseSyntaxTree(expression), expression);
}

/** Returns the names of the metrics that a PromQL expression reads. @throws Error if the expression cannot be parsed */
export function parseMetricNames(expression: string): readonly string[] {
  return parseSelectors(expression).map(({ metric }) => metric);
}

/**
 * Returns true if a series selector of a PromQL expression selects a series with these labels.
 *
 * @param labels the labels of the series; a selector may compare further labels, which are not checked
 */
export function selectsSeries(expression: string, labels: Readonly<Record<string, string>>): boolean {
  return listDescendantNodes(parseSyntaxTree(expression))
    .filter(({ name }) => name === 'VectorSelector')
    .some((selector) =>
      listDescendantNodes(selector)
        .filter(({ name }) => name === 'UnquotedLabelMatcher')
        .every((matcher) => matchesLabel(matcher, expression, labels)),
    );
}

function matchesLabel(matcher: SyntaxNode, expression: string, labels: Readonly<Record<string, string>>): boolean {
  const [label = '', operator = '', text = ''] = getChildNodes(matcher).map((node) => getNodeText(expression, node));
  const value = labels[label];
  if (value === undefined) return true;
  const compared = text.slice(1, -1);
  // Prometheus anchors regular expressions at both ends.
  const isEqual = operator.endsWith('~') ? new RegExp(`^(?:${compared})$`).test(value) : value === compared;
  return operator.startsWith('!') ? !isEqual : isEqual;
}

/** Returns the comparisons with numbers in a PromQL expression. @throws Error if the expression cannot be parsed */
export function parseComparisons(expression: string): readonly Comparison[] {
  return listDescendantNodes(parseSyntaxTree(expression))
    .filter(({ name }) => name === 'BinaryExpr')
    .flatMap((node) => {
      const [left, operator, ...rest] = getChildNodes(node);
      const right = rest.at(-1);
      const symbol = OPERATORS[operator?.name ?? ''];
      if (left === undefined || symbol === undefined || right?.name !== 'NumberDurationLiteral') return [];
      const metrics = collectSelectors(left, expression).map(({ metric }) => metric);
      return [{ metrics, operator: symbol, limit: Number(getNodeText(expression, right)) }];
    });
}

function parseSyntaxTree(expression: string): SyntaxNode {
  const { topNode } = parser.parse(expression);
  if (listDescendantNodes(topNode).some(({ type }) => type.isError)) {
    throw new Error(`expected a valid PromQL expression, found ${expression}`);
  }
  return topNode;
}

function collectSelectors(root: SyntaxNode, expression: string): readonly SeriesSelector[] {
  return listDescendantNodes(root)
    .filter(({ name }) => name === 'VectorSelector')
    .map((selector) => {
      const findTexts = (name: string): readonly string[] =>
        listDescendantNodes(selector)
          .filter((node) => node.name === name)
          .map((node) => getNodeText(expression, node));
      return { metric: findTexts('Identifier')[0] ?? '', labels: findTexts('LabelName') };
    });
}

/** Returns a node and all nodes below it. */
function listDescendantNodes(node: SyntaxNode): readonly SyntaxNode[] {
  return [node, ...getChildNodes(node).flatMap(listDescendantNodes)];
}

function getChildNodes(node: SyntaxNode): readonly SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}

function getNodeText(expression: string, { from, to }: SyntaxNode): string {
  return expression.slice(from, to);
}
