/** A target tree as XML elements. Names were checked at save; values are escaped here. */
import type { Building } from './compile-value.ts';
import { escapeXml } from './escape.ts';
import type { Leaf, TargetNode } from './target-tree.ts';

/** `root` undefined writes the children alone, for an envelope that brings its own element; `declared` goes first into the root's tag. */
export function writeXml(root: string | undefined, tree: TargetNode, building: Building, declared = ''): string {
  if (root === undefined) return writeChildren(tree, building);
  return writeElement(root, tree, building, declared) || `<${root}/>`;
}

function writeChildren(node: TargetNode, building: Building): string {
  let result = '';
  for (const [name, child] of node.keys) result += writeNamed(name, child, building);
  return result;
}

/** A list is its element repeated. */
function writeNamed(name: string, node: TargetNode, building: Building): string {
  if (node.items.length === 0) return writeElement(name, node, building);
  return node.items.map((item) => writeElement(name, item, building)).join('');
}

/** Nothing at all when its value, its attributes and everything below were left out. */
function writeElement(name: string, node: TargetNode, building: Building, declared = ''): string {
  const attributes = declared + node.attributes.map(({ name, leaf }) => writeAttribute(name, leaf, building)).join('');
  const inside = node.leaf ? writeText(node.leaf, building) : writeChildren(node, building);
  const isOmitted = node.leaf ? inside === undefined : inside === '';
  if (isOmitted && attributes === '') return '';
  return inside ? `<${name}${attributes}>${inside}</${name}>` : `<${name}${attributes}/>`;
}

function writeAttribute(name: string, leaf: Leaf, building: Building): string {
  const text = writeText(leaf, building);
  return text === undefined ? '' : ` ${name}="${text}"`;
}

function writeText(leaf: Leaf, building: Building): string | undefined {
  const text = leaf.value(building);
  if (text === '' && leaf.omitWhenEmpty) return undefined;
  return escapeXml(text, () => building.warnings.push({ code: 'character-dropped', at: leaf.to }));
}
