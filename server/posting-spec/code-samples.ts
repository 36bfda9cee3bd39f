/** The same call in four languages, to be copied and run as it is: a test lead, with the key out of the environment. */
import type { PostingSpec } from './describe-posting.ts';

export interface CodeSample {
  language: string;
  /** What it needs, and how it is run. */
  note: string;
  code: string;
}

type Lead = PostingSpec['sample'];

export function codeSamples({ origin, sample, timeLimitMs }: Pick<PostingSpec, 'origin' | 'sample' | 'timeLimitMs'>): CodeSample[] {
  const url = `${origin}/api/v1/leads`;
  const lead: Lead = { ...sample, test: true };
  const patience = Math.ceil(timeLimitMs / 1000) + 5;
  return [
    { language: 'curl', note: 'In a shell, after: export POSTING_KEY=your-key', code: curl(url, lead, patience) },
    { language: 'PHP', note: 'PHP 8 with its curl extension; the key stands in POSTING_KEY.', code: php(url, lead, patience) },
    { language: 'JavaScript', note: 'Node 20 or later, as a module; nothing to install.', code: javascript(url, lead, patience) },
    { language: 'Python', note: 'Python 3.8 or later; nothing to install.', code: python(url, lead, patience) },
  ];
}

const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const curl = (url: string, lead: Lead, patience: number): string => `curl --max-time ${patience} ${shellQuoted(url)} \\
  -H "Authorization: Bearer $POSTING_KEY" \\
  -H 'Content-Type: application/json' \\
  --data-raw ${shellQuoted(JSON.stringify(lead, null, 2))}`;

const lines = (lead: Lead, indent: string, line: (name: string, value: Lead[string]) => string): string =>
  Object.entries(lead)
    .map(([name, value]) => `${indent}${line(name, value)},`)
    .join('\n');

const phpQuoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const phpValue = (value: Lead[string]): string => (typeof value === 'string' ? phpQuoted(value) : String(value));

const php = (url: string, lead: Lead, patience: number): string => `<?php
$lead = [
${lines(lead, '  ', (name, value) => `${phpQuoted(name)} => ${phpValue(value)}`)}
];
$call = curl_init(${phpQuoted(url)});
curl_setopt_array($call, [
  CURLOPT_POST => true,
  CURLOPT_RETURNTRANSFER => true,
  CURLOPT_TIMEOUT => ${patience},
  CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('POSTING_KEY'), 'Content-Type: application/json'],
  CURLOPT_POSTFIELDS => json_encode($lead),
]);
$answer = json_decode(curl_exec($call), true);
echo curl_getinfo($call, CURLINFO_RESPONSE_CODE), ' ', json_encode($answer, JSON_PRETTY_PRINT), PHP_EOL;
// A sold lead: send the consumer on to $answer['redirectUrl'], where it is given.`;

/** JSON is JavaScript; a name that needs no quotes has none. */
const jsName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

const javascript = (url: string, lead: Lead, patience: number): string => `const lead = {
${lines(lead, '  ', (name, value) => `${jsName(name)}: ${JSON.stringify(value)}`)}
};
const response = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: { authorization: \`Bearer \${process.env.POSTING_KEY}\`, 'content-type': 'application/json' },
  body: JSON.stringify(lead),
  signal: AbortSignal.timeout(${patience}_000),
});
console.log(response.status, await response.json());
// A sold lead: send the consumer on to redirectUrl of the answer, where it is given.`;

/** A JSON text is a Python text too. */
const pythonValue = (value: Lead[string]): string =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value).replaceAll('\u007f', '\\u007f');

const python = (url: string, lead: Lead, patience: number): string => `import json
import os
import urllib.error
import urllib.request

lead = {
${lines(lead, '    ', (name, value) => `${JSON.stringify(name)}: ${pythonValue(value)}`)}
}
call = urllib.request.Request(
    ${JSON.stringify(url)},
    data=json.dumps(lead).encode(),
    headers={"Authorization": "Bearer " + os.environ["POSTING_KEY"], "Content-Type": "application/json"},
)
try:
    with urllib.request.urlopen(call, timeout=${patience}) as response:
        print(response.status, json.load(response))
except urllib.error.HTTPError as refused:
    print(refused.code, json.load(refused))
# A sold lead: send the consumer on to redirectUrl of the answer, where it is given.`;
