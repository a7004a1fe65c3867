import type { Sql, Tx } from '@cobro/postgres/database.ts';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

/** How Postgres carried out a statement. */
export interface Plan {
  /** Its steps, such as `Index Scan inbox_pkey`, from the outside in. */
  nodes: string[];
  /** How many pages of tables and indexes it read. */
  pages: number;
}

/** Runs the statement, with all its effects, and returns its plan. */
export async function planOf(tx: Tx, { text, values }: Sql): Promise<Plan> {
  const explained = { text: `explain (analyze, buffers, format json) ${text}`, values };
  const { 'QUERY PLAN': explanation } = await tx.one<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explained);
  const [{ Plan: root }] = explanation;
  const nodes: string[] = [];
  const visit = (node: PlanNode) => {
    nodes.push([node['Node Type'], node['Index Name'] ?? node['Relation Name']].filter(Boolean).join(' '));
    node.Plans?.forEach(visit);
  };
  visit(root);
  return { nodes, pages: root['Shared Hit Blocks'] + root['Shared Read Blocks'] };
}
