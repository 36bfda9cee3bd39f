/** Mapping rows as the tree they build; the same tree is written as JSON or as XML. */

import { getPath, type PathStep } from '#contract/endpoint.path.ts';
import type { MappingRow } from '#contract/endpoint.ts';
import { compileRow, type Value } from './compile-value.ts';

export interface Leaf {
  to: string;
  value: Value;
  type: 'string' | 'number' | 'boolean';
  omitWhenEmpty: boolean;
}

/** Keys keep the order of the rows. A node with a leaf may still carry attributes (XML). */
export interface TargetNode {
  leaf?: Leaf;
  attributes: { name: string; leaf: Leaf }[];
  keys: Map<string, TargetNode>;
  items: TargetNode[];
}

/** `attributes` 'apart' for XML; in JSON '@id' is a key like any other. */
export function growTree(rows: readonly MappingRow[], attributes: 'apart' | 'asKeys'): TargetNode {
  const root = newNode();
  for (const row of rows) place(root, getPath(row.to), newLeaf(row), attributes);
  return root;
}

function newNode(): TargetNode {
  return { attributes: [], keys: new Map(), items: [] };
}

function newLeaf(row: MappingRow): Leaf {
  return { to: row.to, value: compileRow(row), type: row.type ?? 'string', omitWhenEmpty: row.omitWhenEmpty ?? false };
}

function place(root: TargetNode, steps: readonly PathStep[], leaf: Leaf, attributes: 'apart' | 'asKeys'): void {
  let node = root;
  for (const step of steps) {
    if (step.kind === 'attribute' && attributes === 'apart') return void node.attributes.push({ name: step.name, leaf });
    node = step.kind === 'index' ? itemOf(node, step.index) : keyOf(node, nameOf(step));
  }
  node.leaf = leaf;
}

function nameOf(step: PathStep): string {
  if (step.kind === 'key') return step.key;
  if (step.kind === 'attribute') return `@${step.name}`;
  throw new Error('endpoint_target_wildcard: a wildcard cannot be sent.');
}

function keyOf(node: TargetNode, key: string): TargetNode {
  const found = node.keys.get(key) ?? newNode();
  node.keys.set(key, found);
  return found;
}

function itemOf(node: TargetNode, index: number): TargetNode {
  while (node.items.length <= index) node.items.push(newNode());
  return node.items[index]!;
}
