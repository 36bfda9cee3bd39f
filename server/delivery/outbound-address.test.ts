import { describe, expect, test } from 'vitest';
import { addressKind, allowsLoopback, parseAllowList, refuseHost, refuseUrl, whyRefused } from './outbound-address.ts';

const refusedAddresses = [
  ...['127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ...[
    '169.254.169.254',
    '100.64.0.1',
    '100.127.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '198.51.100.7',
    '203.0.113.9',
    '198.18.0.1',
    '198.19.255.255',
  ],
  ...['192.88.99.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '192.31.196.1', '192.52.193.1', '192.175.48.1'],
  ...[
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:8.8.8.8',
    '::7f00:1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'fc00::1',
    'fdff::1',
    'ff02::1',
  ],
  ...['64:ff9b::7f00:1', '64:ff9b:1::a00:1', '2002:7f00:1::', '2001:0:4136:e378::1', '2001:db8::1', '3fff::1', '100::1', '5f00::1'],
  ...['2001:2::1', '2001:10::1', '2001:20::1', '::ffff:0:7f00:1', '4000::1', 'fd00:ec2::254', 'not an address', ''],
];

test.each(refusedAddresses)('E1, 1.2 SSRF: an address that is not public is refused: %s', (address) => {
  expect(whyRefused({ host: 'buyer.example', port: 443, address }, [])).toMatch(/address$/);
});

test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '192.0.1.1', '2606:4700:4700::1111', '2a00:1450:4001::1'])(
  'a public address is open: %s',
  (address) => {
    expect(addressKind(address)).toBe('public');
    expect(whyRefused({ host: 'buyer.example', port: 443, address }, [])).toBeUndefined();
  },
);

test('E1: only the web ports are open', () => {
  for (const port of [22, 25, 5432, 6379, 8080])
    expect(whyRefused({ host: 'b.example', port, address: '8.8.8.8' }, [])).toBe(`port ${port}`);
  for (const port of [80, 443]) expect(whyRefused({ host: 'b.example', port, address: '8.8.8.8' }, [])).toBeUndefined();
});

const corpus = [
  ...[
    'http://0177.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://127.1/',
    'http://①②⑦.⓪.⓪.①/',
    'http://127。0。0。1/',
    'http://[::ffff:127.0.0.1]/',
  ],
  ...[
    'http://[::]/',
    'http://0/',
    'http://localhost./',
    'http://user@127.0.0.1/',
    'http://a.com\\@127.0.0.1/',
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
  ],
  ...[
    'https://buyer.example:22/',
    'https://buyer.example:5432/',
    'http://169.254.169.254/latest/meta-data',
    'http://[fc00::1]/',
    'http://100.64.0.1/',
  ],
  ...[
    'http://metadata.google.internal/',
    'http://printer.local/',
    'http://app.localhost/',
    'http://user:pass@buyer.example/',
    'nonsense',
    '//buyer.example/',
  ],
];

test.each(corpus)('wire-quirks 47, E1, 1.2 SSRF: refused at save, in words: %s', (url) => {
  // The parser turns the backslash into a path, so that this one names a harmless host and is judged at connect.
  if (url.includes('\\')) return void expect(new URL(url).hostname).toBe('a.com');
  expect(refuseUrl(url, [])).toMatch(/^(The address|User and password|Nothing is sent there)/);
});

test.each([
  ...['127.0.0.1', 'localhost', '::1', '::ffff:127.0.0.1', '0', '2130706433', '0x7f.1', '127.1', '10.0.0.1', '169.254.169.254'],
  ...['64:ff9b::7f00:1', 'fd00::1', 'files.internal', '8.8.8.8:25'],
])('E1, 1.2 SSRF: a server that is no web server is refused at save, in words: %s', (name) => {
  const [host, port] = name === '8.8.8.8:25' ? ['8.8.8.8', 25] : [name, 22];
  expect(refuseHost(host!, port!, [], [22, 2222])).toMatch(
    /^Nothing is sent there: (it is not on|only ports 22 and 2222 are called, not 25)/,
  );
  expect(refuseHost('files.example', 2222, [], [22, 2222])).toBeUndefined();
  expect(refuseHost(host!, port!, parseAllowList('0.0.0.0/0, ::/0, localhost, files.internal'), [22, 2222])).toBeUndefined();
});

test('an address is called by words of people, not by those of registries', () => {
  for (const address of refusedAddresses) {
    const said = whyRefused({ host: 'buyer.example', port: 443, address }, []);
    expect(said).toMatch(/^(private|link-local|loopback|empty|reserved|unreadable|broadcast|multicast|IPv6 spelling of an IPv4) address$/);
  }
});

test('an ordinary buyer may be saved', () => {
  expect(refuseUrl('https://leads.buyer.example/post?x=1', [])).toBeUndefined();
});

describe('the allow list', () => {
  test('opens a host, a host on one port, an address, a range, sub-domains', () => {
    const allow = parseAllowList('market.test, local.test:4100, 127.0.0.77, 10.1.0.0/16:8443, [::1]:3000, *.sim.test');
    const open = (host: string, port: number, address: string) => whyRefused({ host, port, address }, allow) === undefined;
    expect(open('market.test', 4100, '127.0.0.1')).toBe(true);
    expect(open('MARKET.test.', 80, '127.0.0.1')).toBe(true);
    expect(open('local.test', 4100, '127.0.0.1')).toBe(true);
    expect(open('local.test', 4101, '127.0.0.1')).toBe(false);
    expect(open('any', 9, '127.0.0.77')).toBe(true);
    expect(open('any', 9, '127.0.0.78')).toBe(false);
    expect(open('any', 8443, '10.1.2.3')).toBe(true);
    expect(open('any', 443, '10.1.2.3')).toBe(false);
    expect(open('any', 3000, '::1')).toBe(true);
    expect(open('a.sim.test', 1, '127.0.0.1')).toBe(true);
    expect(open('evilsim.test', 1, '127.0.0.1')).toBe(false);
    expect(open('127.0.0.77.evil.example', 80, '127.0.0.1')).toBe(false);
  });

  test('an entry that cannot be read stops the start', () => {
    for (const text of ['http://a', 'a b', '10.0.0.0/99', 'host:port', 'host:0', 'host:65536', 'a\nb'])
      expect(() => parseAllowList(text)).toThrow(/^".*" is not host, host:port, address or CIDR\.$/);
  });

  test('E1: whether it opens this machine is known, for production to refuse', () => {
    const open = ['127.0.0.1', '127.0.0.77', 'localhost:3000', '*.localhost', 'shop.localhost', '0.0.0.0/0', '0.0.0.0', '64.0.0.0/2'];
    for (const text of [...open, '127.1', '127.0.0.5/32', '127.128.0.0/9', '::1', '[::1]:80', '0:0:0:0:0:0:0:1', '::/0', '::/128', '::'])
      expect(allowsLoopback(parseAllowList(text))).toBe(true);
    for (const text of ['', 'buyer.example', '10.0.0.0/8', '8.8.8.8:8080', '128.0.0.0/1', 'fc00::/7'])
      expect(allowsLoopback(parseAllowList(text))).toBe(false);
  });
});
