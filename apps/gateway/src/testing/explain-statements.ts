import type pg from 'pg';

/** Describes how PostgreSQL has read a table for a statement. */
export interface TableScan {
  readonly table: string;
  /** Name of the plan node, such as `Seq Scan` or `Index Scan using runs_of_datasource`. */
  readonly method: string;
  /** Number of rows that were read, including those that a filter removed. */
  readonly rows: number;
}

/** Summarizes the explained executions of an SQL statement. At most its first three executions are explained. */
export interface ExplainedStatement {
  readonly text: string;
  /** Duration of the slowest explained execution, in milliseconds. */
  readonly milliseconds: number;
  /**
   * Number of blocks that all explained executions together read, from memory or from disk. Excludes the blocks that
   * triggers read.
   */
  readonly blocks: number;
  readonly scans: readonly TableScan[];
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

type Query = (config: unknown, values?: unknown, ...rest: readonly unknown[]) => unknown;
type ExplainedPlans = readonly {
  readonly 'QUERY PLAN': readonly { readonly Plan: PlanNode; readonly 'Execution Time': number }[];
}[];

/** Maximum number of executions of the same statement that are explained. */
const MAX_EXPLAINED = 3;

/**
 * Explains each statement that a pool sends, with its real parameters, immediately before the statement is executed.
 * The explanation runs in a transaction or savepoint that is rolled back. Call this function before the pool connects.
 *
 * @returns the explained statements by their text; the map grows while the pool is used
 */
export function explainStatements(pool: pg.Pool): ReadonlyMap<string, ExplainedStatement> {
  const explained = new Map<string, ExplainedStatement>();
  const executions = new Map<string, number>();
  pool.on('connect', (client) => {
    const query: Query = client.query.bind(client);
    let isInTransaction = false;
    const explainStatement = async (text: string, values: unknown): Promise<void> => {
      const [begin, end] = isInTransaction ? ['savepoint explained', 'rollback to explained'] : ['begin', 'rollback'];
      await query(begin);
      try {
        const { rows } = (await query(`explain (analyze, buffers, format json) ${text}`, values)) as {
          rows: ExplainedPlans;
        }; // as documented
        const [result] = rows[0]?.['QUERY PLAN'] ?? [];
        if (result !== undefined) addExecution(explained, describePlan(text, result.Plan, result['Execution Time']));
      } finally {
        await query(end);
      }
    };
    const withExplanation: Query = (config, values, ...rest) => {
      const text = typeof config === 'string' ? config : String(Reflect.get(Object(config), 'text'));
      if (/^begin/i.test(text)) isInTransaction = true;
      if (/^(commit|rollback)$/i.test(text)) isInTransaction = false;
      const count = (executions.get(text) ?? 0) + 1;
      if (!/^\s*(select|insert|update|delete|with)\b/i.test(text) || count > MAX_EXPLAINED)
        return query(config, values, ...rest);
      executions.set(text, count);
      // If the statement is invalid, it fails again when it is executed, and the caller receives the error.
      const explaining = explainStatement(text, values).catch(() => undefined);
      if (rest.length > 0) return void explaining.then(() => query(config, values, ...rest));
      return explaining.then(() => query(config, values));
    };
    client.query = withExplanation as typeof client.query; // the same overloads, with one implementation
  });
  return explained;
}

/**
 * Adds an execution to the summary of the statement with the same text: keeps the longest duration, sums the blocks,
 * and appends the scans.
 */
function addExecution(explained: Map<string, ExplainedStatement>, found: ExplainedStatement): void {
  const known = explained.get(found.text);
  const scans = [...(known?.scans ?? []), ...found.scans];
  const milliseconds = Math.max(known?.milliseconds ?? 0, found.milliseconds);
  const blocks = (known?.blocks ?? 0) + found.blocks;
  explained.set(found.text, { text: found.text, milliseconds, blocks, scans });
}

function describePlan(text: string, plan: PlanNode, milliseconds: number): ExplainedStatement {
  const blocks = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  return { text, milliseconds, blocks, scans: listScans(plan) };
}

function listScans(node: PlanNode): readonly TableScan[] {
  const children = (node.Plans ?? []).flatMap(listScans);
  const { 'Relation Name': table, 'Index Name': index } = node;
  const type = node['Node Type'];
  if (table === undefined || !type.endsWith('Scan')) return children;
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const rows = (node['Actual Rows'] + removed) * node['Actual Loops'];
  return [{ table, method: index === undefined ? type : `${type} using ${index}`, rows }, ...children];
}
