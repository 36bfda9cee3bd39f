/** A target tree as JSON text. */

import { readBoolean } from './boolean-word.ts';
import type { Building } from './compile-value.ts';
import type { Leaf, TargetNode } from './target-tree.ts';

/** The whole document; an object or a list, never nothing. */
export function writeJson(root: TargetNode, building: Building): string {
  return writeNode(root, building) ?? (root.items.length > 0 ? '[]' : '{}');
}

/** Undefined when everything below was left out. */
function writeNode(node: TargetNode, building: Building): string | undefined {
  if (node.leaf) return writeLeaf(node.leaf, building);
  return node.items.length > 0 ? writeList(node.items, building) : writeObject(node.keys, building);
}

function writeObject(keys: TargetNode['keys'], building: Building): string | undefined {
  let body = '';
  for (const [key, child] of keys) {
    const text = writeNode(child, building);
    if (text !== undefined) body += `${body === '' ? '' : ','}${JSON.stringify(key)}:${text}`;
  }
  return body === '' ? undefined : `{${body}}`;
}

function writeList(items: readonly TargetNode[], building: Building): string | undefined {
  const texts = items.map((item) => writeNode(item, building)).filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : `[${texts.join(',')}]`;
}

function writeLeaf(leaf: Leaf, building: Building): string | undefined {
  const text = leaf.value(building);
  if (text === '' && leaf.omitWhenEmpty) return undefined;
  if (leaf.type === 'string') return JSON.stringify(text);
  if (text === '') return 'null';
  return leaf.type === 'number' ? writeNumber(text, leaf, building) : writeBoolean(text, leaf, building);
}

/** The digits are sent as they stand, so no float can change them; zip 01234 as a number cannot keep its zero, and says so. */
function writeNumber(text: string, leaf: Leaf, building: Building): string {
  const found = /^\s*(-?)(0*)(\d+(?:\.\d+)?)\s*$/.exec(text);
  if (!found) {
    building.warnings.push({ code: 'not-a-number', at: leaf.to });
    return JSON.stringify(text);
  }
  if (found[2] !== '') building.warnings.push({ code: 'leading-zeros-dropped', at: leaf.to });
  return `${found[1]}${found[3]}`;
}

function writeBoolean(text: string, leaf: Leaf, building: Building): string {
  const value = readBoolean(text);
  if (value !== undefined) return String(value);
  building.warnings.push({ code: 'not-a-boolean', at: leaf.to });
  return JSON.stringify(text);
}
