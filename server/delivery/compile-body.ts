/** The body of a request, per format: prepared once, then from lead values to text that is escaped for its grammar. */

import type { LegBody, MappingRow, SoapBody } from '#contract/endpoint.ts';
import { compileRow, compileTemplate, type Value } from './compile-value.ts';
import { escapeCsv, escapeForm, escapeJson, escapeLine, escapeUrl, escapeXml } from './escape.ts';
import { growTree } from './target-tree.ts';
import { writeJson } from './write-json.ts';
import { writeXml } from './write-xml.ts';

export function compilePairs(rows: readonly MappingRow[]): Value {
  const pairs = rows.map((row) => ({ name: escapeForm(row.to), value: compileRow(row), omitWhenEmpty: row.omitWhenEmpty ?? false }));
  return (building) => {
    let result = '';
    for (const pair of pairs) {
      const text = pair.value(building);
      if (text !== '' || !pair.omitWhenEmpty) result += `${result === '' ? '' : '&'}${pair.name}=${escapeForm(text)}`;
    }
    return result;
  };
}

export function compileBody(body: LegBody): Value | undefined {
  switch (body.format) {
    case 'query':
    case 'mail':
      return undefined;
    case 'form':
      return compilePairs(body.mapping);
    case 'text':
      return compileTemplate(
        body.template,
        { none: escapeLine, json: escapeJson, xml: escapeXml, url: escapeUrl, csv: escapeCsv }[body.escape],
      );
    case 'json':
      return wrapped(compileJson(body), body.wrap);
    case 'soap':
      return compileSoap(body);
    case 'xml':
      return wrapped(compileXml(body), body.wrap);
  }
}

function compileJson({ mapping, root }: Extract<LegBody, { format: 'json' }>): Value {
  const tree = growTree(mapping, 'asKeys');
  if (root === undefined) return (building) => writeJson(tree, building);
  const name = JSON.stringify(root);
  return (building) => `{${name}:${writeJson(tree, building)}}`;
}

function compileXml(body: Extract<LegBody, { format: 'xml' }>): Value {
  const tree = growTree(body.mapping, 'apart');
  const [header, open, close] = [body.xml_header ?? '', body.xml_open ?? '', body.xml_close ?? ''].map((text) =>
    compileTemplate(text, escapeXml),
  );
  const declaration = body.declaration === false || body.xml_header ? '' : '<?xml version="1.0" encoding="UTF-8"?>';
  return (building) => `${declaration}${header!(building)}${open!(building)}${writeXml(body.root, tree, building)}${close!(building)}`;
}

/** SOAP 1.1 §4 and SOAP 1.2 part 1 §5. */
const ENVELOPES = { '1.1': 'http://schemas.xmlsoap.org/soap/envelope/', '1.2': 'http://www.w3.org/2003/05/soap-envelope' };

/** The operation's namespace is the default one below it, so that rows need no prefix. */
function compileSoap({ version, operation, namespace, header, mapping }: SoapBody): Value {
  const tree = growTree(mapping, 'apart');
  const head = header ? compileTemplate(header, escapeXml) : undefined;
  const open = `<?xml version="1.0" encoding="UTF-8"?><soap:Envelope xmlns:soap="${ENVELOPES[version]}">`;
  return (building) => {
    const inside = writeXml(operation, tree, building, namespace === '' ? '' : ` xmlns="${escapeXml(namespace)}"`);
    const top = head ? `<soap:Header>${head(building)}</soap:Header>` : '';
    return `${open}${top}<soap:Body>${inside}</soap:Body></soap:Envelope>`;
  };
}

function wrapped(document: Value, wrap: { parameter: string; beside?: MappingRow[] | undefined } | undefined): Value {
  if (!wrap) return document;
  const beside = compilePairs(wrap.beside ?? []);
  const name = escapeForm(wrap.parameter);
  return (building) => {
    const others = beside(building);
    return `${others}${others === '' ? '' : '&'}${name}=${escapeForm(document(building))}`;
  };
}
